// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/search/search_settings.hpp"

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "base/random.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

using S = SearchSettings;

constexpr double kMostTrials = 1e6;
constexpr double kDiverges =
    2.0;  ///< over the best learning rate: steps gain nothing from there on

Field<S> search_model_field() {
  const Param<std::string> name("model", std::nullopt, {}, "model that all trials train");
  return {name.info(), [name](YamlReader& reader, S& settings) {
            settings.model = ModelReference{name.read(reader), reader.node("model").where,
                                            reader.child_path("model")};
          }};
}

Field<S> trial_gang_field() {
  return field("gang", &S::gang, between(1, 1e6), "GPUs of a trial")
      .then([](YamlReader& reader, S& settings) {
        settings.gang_where =
            reader.has("gang") ? reader.node("gang").where : reader.mapping().where;
      });
}

Field<S> learning_rate_field() {
  using L = LearningRates;
  const Limits range{.min = kPositive.min, .max = kDiverges};
  return mapping_field("learning_rate", &S::learning_rate,
                       Fields<L>{field("min", &L::min, range, "least one"),
                                 field("max", &L::max, range, "largest one")},
                       "",
                       "of which each trial draws its learning rate, log-uniformly, over the best "
                       "one at its batch")
      .or_else("{min: 0.01, max: 1.9}")
      .then([](YamlReader& reader, const S& settings) {
        const auto& [min, max] = settings.learning_rate;
        if (min <= max && max < kDiverges) return;
        reader.fail("learning_rate",
                    fmt::format("{:g} to {:g} is no range below {:g}, from where on trainings "
                                "diverge; set min <= max < {:g}",
                                min, max, kDiverges, kDiverges));
      });
}

Field<S> rule_field() {
  return field("rule", &S::rule, {{"random", S::Rule::random}, {"asha", S::Rule::asha}},
               "every trial is trained to its end, or some are stopped early by asynchronous "
               "successive halving (MLSys 2020)")
      .then([](YamlReader& reader, const S& settings) {
        if (settings.rule == S::Rule::asha || !reader.has("halving")) return;
        reader.fail("halving",
                    "has no effect with rule: random; set rule to asha, or leave it out");
      });
}

Field<S> halving_field() {
  using H = Halving::Settings;
  return mapping_field("halving", &S::halving,
                       Fields<H>{field("first_rung", &H::first_rung, between(1e-6, 0.999),
                                       "share of a full training at which trials are first "
                                       "compared"),
                                 field("reduction", &H::reduction, between(1.1, 1e3),
                                       "from rung to rung: so much more training, and about one "
                                       "trial in so many goes on")},
                       "", "of the rule asha: when trials are compared, and how many go on");
}

std::string hash_of_search(const YamlReader& reader) {
  return fmt::format("{:016x}", stable_hash("search 1 " + canonical_text(reader.mapping())));
}

}  // namespace

const Fields<SearchSettings>& search_fields() {
  static const Fields<S> fields = all_of<S>(
      {{field("searches", &S::searches, between(1, 1e4), "number of searches, each an application"),
        field("mean_interarrival", &S::mean_interarrival, kNotNegative,
              "mean time from one search to the next, exponential; 0 s: all come at once"),
        required_field("trials", &S::trials, between(1, kMostTrials), "trials of each search"),
        field("at_once", &S::at_once, between(1, kMostTrials),
              "trials of a search in the system: the next one comes when one leaves"),
        search_model_field(), trial_gang_field(),
        field("batches", &S::batches, between(1, 1e9), "total batches that trials draw from")
            .or_else("the reference batch")},
       within(&S::keys, work_fields()),
       {learning_rate_field(), rule_field(), halving_field(),
        field("loss_noise", &S::loss_noise, between(0, 1),
              "relative standard deviation of the loss that a validation finds"),
        optional_estimate_field<S>()}});
  return fields;
}

SearchSettings read_search(YamlReader& reader) {
  SearchSettings settings = read_fields(search_fields(), reader);
  if (settings.keys.stated()) settings.work = settings.keys.work(reader);
  const double trials = static_cast<double>(settings.searches * settings.trials);
  if (trials > kMostTrials) {
    reader.fail("trials",
                fmt::format("{:.0f} in all searches; allowed are {:.0f}", trials, kMostTrials));
  }
  for (const std::int64_t batch : settings.batches) {
    if (batch >= settings.gang) continue;
    reader.fail("batches", fmt::format("a batch of {} gives {} GPUs less than one sample each",
                                       batch, settings.gang));
  }
  settings.hash = hash_of_search(reader);
  return settings;
}

}  // namespace mimus::workloads
