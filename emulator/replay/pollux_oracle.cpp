// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/pollux_oracle.hpp"

#include <algorithm>
#include <vector>

namespace mimus::emulator {
namespace {

/// Fills whole nodes first: 4, 4, …, rest.
std::vector<int> packed(int gpus, int per_node) {
  std::vector<int> nodes(static_cast<std::size_t>(gpus / per_node), per_node);
  if (gpus % per_node != 0) nodes.push_back(gpus % per_node);
  return nodes;
}

}  // namespace

const workloads::PolluxProfile* PolluxOracle::profile_of(JobId job) const {
  return profiles_.find(jobs_.job(job).model);
}

std::optional<double> PolluxOracle::step_seconds(const workloads::PolluxProfile& profile,
                                                 std::int64_t total_batch, int gpus) const {
  // Here a single replica always takes two micro-batches (optimus.py), unlike when it runs.
  const auto split = profile.application->split(total_batch, gpus, gpus == 1 ? 2 : 1);
  const auto timing = profile.steps.at(packed(gpus, cluster_.shape.gpus_per_node), split.per_gpu);
  if (!timing) return std::nullopt;
  return timing->step +
         (timing->step - timing->sync) * static_cast<double>(split.micro_batches - 1);
}

std::optional<Duration> PolluxOracle::run_time(JobId job) const {
  const auto* profile = profile_of(job);
  if (profile == nullptr) return std::nullopt;
  const workloads::Job& truth = jobs_.job(job);
  const auto step = step_seconds(*profile, truth.total_batch, truth.gang);
  if (!step) return std::nullopt;
  const auto batch = static_cast<double>(truth.total_batch);
  const double scale = batch / static_cast<double>(profile->application->reference_batch);
  double steps = 0.0;
  double done = 0.0;
  for (int epoch = 0; epoch < profile->curves.epochs(); ++epoch) {
    const double end = profile->curves.progress_at_end(epoch);
    steps += (end - done) / profile->curves.gradient(batch, epoch).gain(scale);
    done = end;
  }
  return from_seconds(steps * *step);
}

std::optional<double> PolluxOracle::steps_left(JobId job) const {
  const auto* profile = profile_of(job);
  if (profile == nullptr) return std::nullopt;
  const auto reference = static_cast<double>(profile->application->reference_batch);
  return profile->curves.steps_left(static_cast<double>(jobs_.job(job).total_batch),
                                    jobs_.samples_done(job) / reference);
}

std::optional<Duration> PolluxOracle::step_time(JobId job, int gpus) const {
  const auto* profile = profile_of(job);
  if (profile == nullptr || gpus < 1 || gpus > most_gpus(job)) return std::nullopt;
  const auto seconds = step_seconds(*profile, jobs_.job(job).total_batch, gpus);
  return seconds ? std::optional(from_seconds(*seconds)) : std::nullopt;
}

int PolluxOracle::most_gpus(JobId job) const {
  const auto* profile = profile_of(job);
  if (profile == nullptr) return 0;
  if (!profile->application->scales) return 1;
  const std::int64_t by_batch = jobs_.job(job).total_batch / profile->application->per_gpu_min;
  return static_cast<int>(std::clamp<std::int64_t>(by_batch, 1, cluster_.shape.gpus()));
}

}  // namespace mimus::emulator
