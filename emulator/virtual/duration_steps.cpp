// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/duration_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

constexpr Duration kSecond = std::chrono::seconds{1};

std::vector<ParameterInfo> locality_fields() {
  std::vector<ParameterInfo> fields;
  for (std::size_t i = 0; i < DurationSteps::Settings{}.locality.size(); ++i) {
    const char* level = scheduler::name(static_cast<scheduler::Locality>(i));
    fields.push_back({level, "number", "1", ">= 1", "factor on the run time"});
  }
  return fields;
}

DurationSteps::Settings read_settings(YamlReader& reader) {
  DurationSteps::Settings settings;
  settings.device_busy = reader.get_or("device_busy", settings.device_busy, kFraction);
  if (!reader.has("locality")) return settings;
  YamlReader factors = reader.map("locality");
  for (std::size_t i = 0; i < settings.locality.size(); ++i) {
    const char* level = scheduler::name(static_cast<scheduler::Locality>(i));
    settings.locality[i] = factors.get_or(level, 1.0, kAtLeastOne);
  }
  factors.finish();
  return settings;
}

}  // namespace

DurationSteps::DurationSteps(const ClusterConfig& cluster, Settings settings)
    : shape_(cluster.shape),
      settings_(settings),
      flat_(std::all_of(settings.locality.begin(), settings.locality.end(),
                        [&](double f) { return f == settings.locality.front(); })) {}

void DurationSteps::check(const workloads::Job& job) const {
  const bool stated = job.run_time > Duration{} || (job.model.empty() && job.work_samples > 0.0);
  if (stated) return;
  throw UsageError(
      fmt::format("job {} ({}) has no recorded run time, which step_time: duration "
                  "needs; take a workload with run times, or step_time: analytic",
                  job.id.value(), job.name));
}

StepCost DurationSteps::step(const Attempt& attempt, const Surroundings& surroundings) const {
  const auto& slots = attempt.allocation.slots;
  const std::size_t level = flat_ ? 0 : static_cast<std::size_t>(shape_.locality(slots));
  const double factor = settings_.locality[level];
  const double compute = surroundings.interference;
  StepCost cost{kSecond, Duration{}, kSecond};
  if (factor * compute != 1.0) cost.step = scale(kSecond, factor * compute);
  if (factor != 1.0) cost.exposed_communication = scale(kSecond, (factor - 1.0) * compute);
  const double busy = settings_.device_busy * attempt.allocation.share.gpus();
  if (busy != 1.0) cost.device_busy = scale(kSecond, busy);
  return cost;
}

Choice<StepTimeModel> duration_choice(const StepTimeInputs& inputs) {
  return {.name = "duration",
          .summary = "recorded run times as they are: jobs need no model",
          .parameters = {{"locality", "mapping", "-", "factors >= 1",
                          "factor on the run time by locality level, e.g. {across_racks: 1.3}; 1 "
                          "for levels not given",
                          locality_fields()},
                         {"device_busy", "fraction", "1", ">= 0 and <= 1",
                          "share of its time for which a job keeps its GPUs, or the shares of them "
                          "that it holds, busy"}},
          .make = [cluster = inputs.cluster](YamlReader& reader) {
            return std::make_unique<DurationSteps>(cluster, read_settings(reader));
          }};
}

}  // namespace mimus::emulator
