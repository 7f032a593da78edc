// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/estimate/fitted_estimate.hpp"
#include "scheduler/estimate/history_estimate.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/estimate/oracle_estimate.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {
namespace {

std::vector<HistoryEstimate::Key> read_keys(YamlReader& reader) {
  if (!reader.has("by")) return {HistoryEstimate::Key::user, HistoryEstimate::Key::gang};
  std::vector<HistoryEstimate::Key> keys;
  for (const ConfigNode& item : reader.sequence("by")) {
    const auto name = read_scalar<std::string>(item, reader.child_path("by"));
    const auto& names = history_keys();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) reader.fail("by", unknown_name_message("key", name, names));
    const auto key = static_cast<HistoryEstimate::Key>(found - names.begin());
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      reader.fail("by", "names \"" + name + "\" twice");
    }
    keys.push_back(key);
  }
  return keys;
}

Choice<Estimator> none_choice() {
  return {"none", "the run time the user stated", {}, [](YamlReader&) {
            return std::make_unique<NoEstimate>();
          }};
}

Choice<Estimator> profile_choice(const PolicyInputs& inputs) {
  return {"profile",
          "throughput from a profile, noise scale as the job reports it",
          {},
          [throughput = inputs.throughput](YamlReader&) {
            return std::make_unique<ProfileEstimate>(throughput);
          }};
}

Choice<Estimator> history_choice(const PolicyInputs& inputs) {
  return {"history",
          "mean run time of finished jobs that are alike (PAI, NSDI'22; Helios, SC'21)",
          {{"by", "list", "[user, gang]", "user, group, virtual_cluster, gang, model",
            "alike are jobs that agree in these; without any, in all but the last, and so on"}},
          [throughput = inputs.throughput](YamlReader& reader) {
            return std::make_unique<HistoryEstimate>(read_keys(reader), throughput);
          }};
}

std::unique_ptr<Estimator> make_fitted(YamlReader& reader) {
  FittedEstimate::Settings settings;
  settings.interval = reader.get_or("interval", settings.interval, kAtLeastOne);
  if (reader.choice_or("per", {"job", "model"}, "job") == "model") {
    settings.per = FittedEstimate::Per::model;
  }
  return std::make_unique<FittedEstimate>(settings);
}

Choice<Estimator> fitted_choice() {
  return {"fitted",
          "throughput and noise scale as jobs measure them while they run (Pollux, OSDI'21)",
          {{"interval", "duration", "30 s", ">= 1 s", "least time between two fits of a job"},
           {"per", "text", "job", "job or model", "whose measurements are fitted together"}},
          make_fitted};
}

Choice<Estimator> oracle_choice(const PolicyInputs& inputs) {
  return {"oracle",
          "the true run time",
          {},
          [oracle = inputs.oracle, throughput = inputs.throughput](YamlReader&) {
            return std::make_unique<OracleEstimate>(oracle, throughput);
          }};
}

}  // namespace

std::optional<Duration> Estimator::run_time(const JobView& arriving) const {
  if (arriving.user_estimate <= Duration::zero()) return std::nullopt;
  return arriving.user_estimate;
}

void Estimator::begin(const ClusterShape&) {}

void Estimator::observe(const JobView&, const JobSample&) {}

void Estimator::learn(const JobView&, Instant) {}

void Estimator::left(const JobView&) {}

Registry<Estimator> estimate_choices(const PolicyInputs& inputs) {
  return {"estimate",
          {none_choice(), profile_choice(inputs), fitted_choice(), history_choice(inputs),
           oracle_choice(inputs)}};
}

}  // namespace mimus::scheduler
