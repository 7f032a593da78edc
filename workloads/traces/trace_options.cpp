// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_options.hpp"

#include <algorithm>

#include "base/mapping_fields.hpp"

namespace mimus::workloads {
namespace {

using T = TraceOptions;

/// The allowed values of `estimate`: the words of all formats, and the columns of this format.
Field<T> estimate_field(const TraceTraits& traits) {
  Domain<std::string> words{"none", "true", "noisy"};
  words.words.insert(words.words.end(), traits.estimates.begin(), traits.estimates.end());
  const Param<std::string> estimate("estimate", traits.default_estimate, words,
                                    "what the user states as run time");
  return {estimate.info(), [estimate, columns = traits.estimates](YamlReader& reader, T& options) {
            const std::string value = estimate.read(reader);
            const auto column = std::find(columns.begin(), columns.end(), value);
            if (value == "true") {
              options.estimate = StatedEstimate::exact;
            } else if (value == "noisy") {
              options.estimate = StatedEstimate::noisy;
            } else if (column != columns.end()) {
              options.estimate = StatedEstimate::column;
              options.estimate_column = static_cast<std::size_t>(column - columns.begin());
            }
          }};
}

Field<T> names_field(const char* key, std::vector<std::string> T::*member) {
  return Field<T>(optional_field(key, member, {}, "keep only jobs of these"))
      .beyond("names")
      .or_else("all")
      .then([key, member](YamlReader& reader, const T& options) {
        if (!reader.has(key) || !(options.*member).empty()) return;
        reader.fail(key, "needs at least one name; leave the key out to keep all");
      });
}

Fields<DrawnModel> model_share_fields() {
  using D = DrawnModel;
  const Param<std::string> model("model", std::nullopt, {}, "name of the model in the catalogue");
  return {{model.info(),
           [model](YamlReader& item, D& drawn) {
             drawn.model = {model.read(item), item.node("model").where, item.child_path("model")};
           }},
          field("weight", &D::weight, {{.min = kPositive.min, .max = 1e9}},
                "relative frequency of the model"),
          field("min_gpu_time", &D::min_gpu_time, kNotNegative,
                "for jobs of at least this run time x gang"),
          optional_field("max_gpu_time", &D::max_gpu_time, kPositive,
                         "for jobs of at most this run time x gang")
              .then([](const YamlReader& item, const D& drawn) {
                if (drawn.max_gpu_time >= drawn.min_gpu_time) return;
                item.fail("max_gpu_time", "is below min_gpu_time");
              })};
}

Field<T> models_field() {
  Field<T> models =
      list_field("models", &T::models, model_share_fields(),
                 "footprints drawn for jobs without a model; without it they are run times alone");
  return std::move(models)
      .beyond("model, weight, min_gpu_time, max_gpu_time")
      .then([](YamlReader& reader, const T& options) {
        if (!reader.has("models") || !options.models.empty()) return;
        reader.fail("models", "needs at least one; leave it out for run times alone");
      });
}

Field<T> rigid_models_field() {
  Field<T> names = optional_field(
      "rigid_models", &T::rigid_models, {},
      "jobs of these models keep the requested GPUs and batch, whatever a policy would choose");
  names.read = [read = std::move(names.read)](YamlReader& reader, T& options) {
    read(reader, options);
    if (reader.has("rigid_models")) options.rigid_models_at = reader.node("rigid_models").where;
  };
  return std::move(names).beyond("names").or_else("none");
}

void check_times(const YamlReader& reader, const T& options) {
  if (!options.from || !options.until || *options.until > *options.from) return;
  reader.fail("until", "must be later than \"from\"");
}

Fields<T> row_fields(const TraceTraits& traits) {
  return {words_field("on_bad_row", &T::skip_bad_rows, {{"stop", false}, {"skip", true}},
                      "malformed rows: stop at the first one, or skip them with a note"),
          field("first", &T::first, between(1, 1e9), "keep this many jobs, the earliest ones")
              .or_else("all"),
          field("from", &T::from, kNotNegative,
                "skip jobs submitted before this time, counted from the first submission")
              .or_else("0 s"),
          field("until", &T::until, kPositive,
                "skip jobs submitted from this time on, counted from the first submission")
              .then(check_times),
          field("keep_origin", &T::keep_origin,
                "keep the trace's origin of time; otherwise the first job arrives at 0")
              .or_else(traits.keep_origin ? "true" : "false"),
          field("compress_arrivals", &T::compress_arrivals, between(1e-3, 1e9),
                "arrival times are divided by it; below 1, jobs arrive more slowly"),
          field("scale_run_times", &T::scale_run_times, between(1e-6, 1e6),
                "run times, work and stated estimates are multiplied by it"),
          field("min_run_time", &T::min_run_time, kNotNegative,
                "skip jobs that ran for a shorter time")};
}

Fields<T> job_fields_of_traces(const TraceTraits& traits) {
  return {
      field("max_gang", &T::max_gang, between(1, 1e6), "skip larger gangs"),
      field("oversized", &T::oversized,
            {{"refuse", Oversized::refuse}, {"clamp", Oversized::clamp}, {"drop", Oversized::drop}},
            "what to do with gangs larger than the cluster"),
      names_field("virtual_clusters", &T::virtual_clusters),
      names_field("users", &T::users),
      estimate_field(traits),
      field("estimate_error", &T::estimate_error, between(0, 5),
            "lognormal error of the estimates under noisy"),
      words_field("trace_models", &T::keep_models, {{"keep", true}, {"ignore", false}},
                  "what to do with models that the trace names and the catalogue has"),
      models_field(),
      rigid_models_field()};
}

}  // namespace

Fields<TraceOptions> trace_option_fields(const TraceTraits& traits) {
  Fields<T> fields = all_of<T>({row_fields(traits), job_fields_of_traces(traits)});
  if (traits.published_training) {
    fields.push_back(field("work_fraction", &T::work_fraction, {{.min = kPositive.min, .max = 1.0}},
                           "share of the training to do"));
  }
  return fields;
}

}  // namespace mimus::workloads
