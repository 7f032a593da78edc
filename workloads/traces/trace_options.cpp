// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::workloads {
namespace {

constexpr Limits kCount{.min = 1.0, .max = 1e9};
constexpr Limits kCompression{.min = 1.0, .max = 1e9};
constexpr Limits kScale{.min = 1e-6, .max = 1e6};

std::vector<std::string> estimate_values(const TraceTraits& traits) {
  std::vector<std::string> values{"none", "true", "noisy"};
  values.insert(values.end(), traits.estimates.begin(), traits.estimates.end());
  return values;
}

void read_estimate(YamlReader& reader, const TraceTraits& traits, TraceOptions& options) {
  const auto value = reader.choice_or("estimate", estimate_values(traits), traits.default_estimate);
  options.estimate_error = reader.get_or<double>("estimate_error", 0.5, {.min = 0.0, .max = 5.0});
  const auto column = std::find(traits.estimates.begin(), traits.estimates.end(), value);
  if (value == "true") {
    options.estimate = StatedEstimate::exact;
  } else if (value == "noisy") {
    options.estimate = StatedEstimate::noisy;
  } else if (column != traits.estimates.end()) {
    options.estimate = StatedEstimate::column;
    options.estimate_column = static_cast<std::size_t>(column - traits.estimates.begin());
  }
}

std::vector<std::string> read_names(YamlReader& reader, std::string_view key) {
  std::vector<std::string> names;
  if (!reader.has(key)) return names;
  const auto& items = reader.sequence(key);
  if (items.empty()) reader.fail(key, "needs at least one name; leave the key out to keep all");
  for (std::size_t i = 0; i < items.size(); ++i) {
    names.push_back(
        read_scalar<std::string>(items[i], fmt::format("{}[{}]", reader.child_path(key), i)));
  }
  return names;
}

DrawnModel read_model_share(const ConfigNode& node, const std::string& path) {
  YamlReader item(node, path);
  DrawnModel drawn;
  drawn.model = {item.get<std::string>("model"), item.node("model").where,
                 item.child_path("model")};
  drawn.weight = item.get_or<double>("weight", 1.0, {.min = kPositive.min, .max = 1e9});
  drawn.min_gpu_time = item.get_or<Duration>("min_gpu_time", Duration{}, kNotNegative);
  drawn.max_gpu_time = item.get_or<Duration>("max_gpu_time", Duration::max(), kPositive);
  if (drawn.max_gpu_time < drawn.min_gpu_time) {
    item.fail("max_gpu_time", "lies below min_gpu_time");
  }
  item.finish();
  return drawn;
}

std::vector<DrawnModel> read_models(YamlReader& reader) {
  std::vector<DrawnModel> models;
  if (!reader.has("models")) return models;
  const auto& items = reader.sequence("models");
  if (items.empty()) reader.fail("models", "needs at least one; leave it out for run times alone");
  for (std::size_t i = 0; i < items.size(); ++i) {
    models.push_back(
        read_model_share(items[i], fmt::format("{}[{}]", reader.child_path("models"), i)));
  }
  return models;
}

std::vector<ParameterInfo> model_share_fields() {
  return {{"model", "text", "", "", "its name in the catalogue"},
          {"weight", "number", "1", "> 0", "how often it is drawn, against the others"},
          {"min_gpu_time", "duration", "0 s", ">= 0", "for jobs of at least this run time x gang"},
          {"max_gpu_time", "duration", "-", "> 0", "for jobs of at most this run time x gang"}};
}

Oversized read_oversized(YamlReader& reader) {
  const auto value = reader.choice_or("oversized", {"refuse", "clamp", "drop"}, "refuse");
  if (value == "clamp") return Oversized::clamp;
  return value == "drop" ? Oversized::drop : Oversized::refuse;
}

}  // namespace

TraceOptions read_trace_options(YamlReader& reader, const TraceTraits& traits) {
  TraceOptions options;
  options.skip_bad_rows = reader.choice_or("on_bad_row", {"stop", "skip"}, "stop") == "skip";
  options.keep_origin = reader.get_if<bool>("keep_origin");
  options.first = reader.get_if<std::int64_t>("first", kCount);
  options.from = reader.get_if<Duration>("from", kNotNegative);
  options.until = reader.get_if<Duration>("until", kPositive);
  if (options.from && options.until && *options.until <= *options.from) {
    reader.fail("until", "must lie after \"from\"");
  }
  options.compress_arrivals = reader.get_or<double>("compress_arrivals", 1.0, kCompression);
  options.scale_run_times = reader.get_or<double>("scale_run_times", 1.0, kScale);
  options.min_run_time = reader.get_or<Duration>("min_run_time", Duration{}, kNotNegative);
  options.max_gang = reader.get_if<std::int64_t>("max_gang", {.min = 1.0, .max = 1e6});
  options.oversized = read_oversized(reader);
  options.virtual_clusters = read_names(reader, "virtual_clusters");
  options.users = read_names(reader, "users");
  read_estimate(reader, traits, options);
  options.keep_models = reader.choice_or("trace_models", {"keep", "ignore"}, "keep") == "keep";
  options.models = read_models(reader);
  options.rigid_models = read_names(reader, "rigid_models");
  if (traits.published_training) {
    options.work_fraction =
        reader.get_or<double>("work_fraction", 1.0, {.min = kPositive.min, .max = 1.0});
  }
  return options;
}

std::vector<ParameterInfo> trace_parameters(const TraceTraits& traits) {
  std::vector<ParameterInfo> all{{"path", "text", "", traits.path_range, traits.path_summary}};
  const auto append = [&all](const std::vector<ParameterInfo>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append(traits.parameters);
  append({
      {"on_bad_row", "text", "stop", "stop, skip",
       "rows that cannot be read: end with the first, or leave them out with a note"},
      {"first", "integer", "all", ">= 1", "keep this many jobs, the earliest ones"},
      {"from", "duration", "0 s", ">= 0", "leave out jobs before, since the first submission"},
      {"until", "duration", "-", "> 0", "leave out jobs from then on, since the first submission"},
      {"keep_origin", "boolean", traits.keep_origin ? "true" : "false", "true, false",
       "keep the trace's zero; otherwise the first job arrives at 0"},
      {"compress_arrivals", "number", "1", ">= 1", "arrival times are divided by it"},
      {"scale_run_times", "number", "1", ">= 1e-06 and <= 1e+06",
       "run times, work and stated estimates are multiplied by it"},
      {"min_run_time", "duration", "0 s", ">= 0", "leave out jobs that ran shorter"},
      {"max_gang", "integer", "-", ">= 1", "leave out larger gangs"},
      {"oversized", "text", "refuse", "refuse, clamp, drop",
       "what to do with gangs larger than the cluster"},
      {"virtual_clusters", "list of text", "all", "names", "keep jobs of these only"},
      {"users", "list of text", "all", "names", "keep jobs of these only"},
      {"estimate", "text", traits.default_estimate,
       fmt::format("{}", fmt::join(estimate_values(traits), ", ")),
       "what the user states as run time"},
      {"estimate_error", "number", "0.5", ">= 0 and <= 5",
       "lognormal error of the estimates under noisy"},
      {"trace_models", "text", "keep", "keep, ignore",
       "models that the trace names and the catalogue has"},
      {"models", "list of mappings", "-", "model, weight, min_gpu_time, max_gpu_time",
       "footprints drawn for jobs without a model; without it they are run times alone",
       model_share_fields()},
      {"rigid_models", "list of text", "none", "names",
       "jobs of these keep the GPUs and the batch asked for, whatever a policy would choose"},
  });
  if (traits.published_training) {
    append({{"work_fraction", "fraction", "1", "> 0 and <= 1", "share of the training to do"}});
  }
  append(oddity_parameters(traits.oddities));
  return all;
}

}  // namespace mimus::workloads
