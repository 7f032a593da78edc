// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/clock_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emulator/virtual/oracle/model_oracle.hpp"

namespace mimus::emulator {
namespace {

/// The limit at which from_seconds() saturates.
constexpr double kClockEnds = 9.2e9;

double years(double seconds) {
  return seconds / (365.25 * 24 * 3600);
}

/// Enough for the rounding of steps to nanoseconds not to matter, and far from the end of the
/// clock.
constexpr double kSamplesTimed = 1e6;

std::optional<double> timed(const ClusterConfig& cluster, const StepTimeModel& steps,
                            const workloads::ModelCatalogue& models, workloads::Job job) {
  job.work_samples = kSamplesTimed;
  const ModelOracle oracle(
      cluster, steps, models,
      {[&job](JobId) -> const workloads::Job& { return job; }, [](JobId) { return 0.0; }});
  try {
    const auto run_time = oracle.run_time(job.id);
    if (!run_time) return std::nullopt;
    return to_seconds(*run_time) / kSamplesTimed;
  } catch (const UsageError&) {  // a policy may request a gang and a batch that were measured
    return std::nullopt;
  }
}

}  // namespace

ClockCheck::ClockCheck(const ClusterConfig& cluster, const StepTimeModel& steps,
                       const workloads::ModelCatalogue& models, int tenants)
    : cluster_(cluster),
      steps_(steps),
      models_(models),
      places_(static_cast<double>(cluster.shape.gpus()) * tenants) {}

std::optional<double> ClockCheck::seconds_per_sample(const workloads::Job& job) {
  const auto [entry, is_new] = known_.try_emplace({job.model, job.gang, job.total_batch});
  if (is_new) entry->second = timed(cluster_, steps_, models_, job);
  return entry->second;
}

double ClockCheck::run_seconds(const workloads::Job& job) {
  if (!steps_.counts_run_time()) return job.work_samples * seconds_per_sample(job).value_or(0.0);
  return job.run_time > Duration{} ? to_seconds(job.run_time) : job.work_samples;
}

void ClockCheck::add(const workloads::Job& job) {
  const double run = run_seconds(job);
  const double arrival = to_seconds(job.arrival);
  const double queue = std::max(0.0, busy_until_ - arrival);
  busy_until_ = arrival + queue + run * job.gang * job.gpu_share / places_;
  const double end = std::max(arrival + run, busy_until_);
  if (end <= kClockEnds) return;
  throw UsageError(
      fmt::format("job \"{}\" cannot end before emulated time does, after {:.0f} years: it arrives "
                  "after {:.1f} years and runs for {:.1f} on {} GPUs, and the jobs before it keep "
                  "the cluster busy for {:.1f} more; check its work and its arrival, or leave it "
                  "out",
                  job.name, years(kClockEnds), years(arrival), years(run), job.gang, years(queue)));
}

}  // namespace mimus::emulator
