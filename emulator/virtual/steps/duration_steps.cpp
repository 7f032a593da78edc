// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/duration_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kSecond = std::chrono::seconds{1};

using LocalityFactors = decltype(DurationSteps::Settings::locality);

Fields<LocalityFactors> locality_fields() {
  Fields<LocalityFactors> fields;
  for (std::size_t i = 0; i < LocalityFactors{}.size(); ++i) {
    const char* level = scheduler::name(static_cast<scheduler::Locality>(i));
    const Param<double> factor(level, 1.0, kAtLeastOne, "factor on the run time");
    fields.push_back({factor.info(), [factor, i](YamlReader& reader, LocalityFactors& factors) {
                        factors[i] = factor.read(reader);
                      }});
  }
  return fields;
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
      fmt::format("job {} ({}) has no recorded run time, which step_time: duration needs; use a "
                  "workload with run times, or step_time: analytic",
                  job.id.value(), job.name));
}

StepCost DurationSteps::step(const Attempt& attempt, const Surroundings& surroundings) const {
  const auto& slots = attempt.allocation.slots;
  const std::size_t level = flat_ ? 0 : static_cast<std::size_t>(shape_.locality(slots));
  const double factor = settings_.locality[level];
  const double alone = 1.0 / attempt.speed;
  const double busy_share = settings_.device_busy * attempt.allocation.share.gpus();
  const double slowed = std::max(
      {1.0, attempt.host_share * surroundings.core_load, busy_share * surroundings.device_stretch});
  const double compute = alone * slowed * surroundings.interference;
  StepCost cost{kSecond, Duration{}, kSecond};
  if (factor * compute != 1.0) cost.step = scale(kSecond, factor * compute);
  if (factor != 1.0) cost.exposed_communication = scale(kSecond, (factor - 1.0) * compute);
  const double busy = alone * busy_share;
  if (busy != 1.0) cost.device_busy = scale(kSecond, busy);
  return cost;
}

Choice<StepTimeModel> duration_choice(const StepTimeInputs& inputs) {
  using S = DurationSteps::Settings;
  return choice<StepTimeModel, DurationSteps>(
      "duration", "recorded run times as they are: jobs need no model",
      {mapping_field("locality", &S::locality, locality_fields(), "factors >= 1",
                     "factor on the run time by locality level, e.g. {across_racks: 1.3}; 1 for "
                     "levels not given"),
       field("device_busy", &S::device_busy, kFraction,
             "share of its time for which a job keeps its GPUs, or the shares of them that it "
             "holds, busy")},
      [cluster = inputs.cluster](S settings) {
        return std::make_unique<DurationSteps>(cluster, settings);
      });
}

}  // namespace mimus::emulator
