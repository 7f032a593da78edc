// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/pollux_measurements.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {

PolluxMeasurements::PolluxMeasurements(const ClusterConfig& cluster, const std::string& folder)
    : shape_(cluster.shape), profiles_(folder) {}

bool PolluxMeasurements::has_model(const std::string& model) const {
  return workloads::pollux_application_of_model(model) != nullptr;
}

/// Number of replicas on each node, in the order of the ring.
std::vector<int> PolluxMeasurements::per_node(const Attempt& attempt) const {
  std::vector<int> runs;
  NodeId last;
  for (const auto& slot : attempt.allocation.slots) {
    const NodeId node = shape_.node_of(slot.gpu);
    if (node != last) runs.push_back(0);
    ++runs.back();
    last = node;
  }
  return runs;
}

std::optional<StepCost> PolluxMeasurements::find(const Attempt& attempt) const {
  const auto* profile = profiles_.find(attempt.model->name);
  if (profile == nullptr) return std::nullopt;
  const auto runs = per_node(attempt);
  auto timing = profile->steps.at(runs, attempt.batch.per_gpu);
  if (!timing) timing = profile->steps.of_others(runs, attempt.batch.per_gpu);
  if (!timing) return std::nullopt;
  const double compute = (timing->step - timing->sync) * attempt.batch.accumulation;
  return StepCost{from_seconds(compute + timing->sync), from_seconds(timing->sync),
                  from_seconds(compute)};
}

std::optional<MeasuredNoise> PolluxMeasurements::noise_scale(const Attempt& attempt,
                                                             double fraction) const {
  const auto* profile = profiles_.find(attempt.model->name);
  if (profile == nullptr) return std::nullopt;
  const auto& curves = profile->curves;
  const int epoch =
      std::min(curves.epoch_at(fraction * curves.total_progress()), curves.epochs() - 1);
  const auto total = static_cast<double>(attempt.batch.total(attempt.allocation.slots.size()));
  const auto reference = static_cast<double>(profile->application->reference_batch);
  return MeasuredNoise{curves.gradient(total, epoch).noise_scale(reference),
                       curves.progress_at_end(epoch) / curves.total_progress()};
}

std::optional<double> PolluxMeasurements::steps_left(const workloads::Job& job,
                                                     double fraction) const {
  const auto* profile = profiles_.find(job.model);
  if (profile == nullptr) return std::nullopt;
  const auto& curves = profile->curves;
  return curves.steps_left(static_cast<double>(job.total_batch),
                           fraction * curves.total_progress());
}

std::vector<MeasuredPoint> PolluxMeasurements::points(const std::string& model) const {
  std::vector<MeasuredPoint> points;
  const auto* profile = profiles_.find(model);
  if (profile == nullptr) return points;
  for (const auto& [per_node, line] : profile->steps.measured()) {
    for (const auto& [batch, timing] : line) {
      points.push_back({.per_node = per_node,
                        .per_gpu_batch = static_cast<std::int64_t>(batch),
                        .step = timing.step});
    }
  }
  return points;
}

std::string PolluxMeasurements::missing(const Attempt& attempt) const {
  const auto runs = per_node(attempt);
  std::string text =
      fmt::format("{} has no step of {} on {} with a per-GPU batch of {}", profiles_.folder(),
                  attempt.model->name, fmt::join(runs, "+"), attempt.batch.per_gpu);
  const auto* profile = profiles_.find(attempt.model->name);
  if (profile == nullptr) return text + "; it does not have this model";
  const auto range = profile->steps.batches(runs);
  if (!range) return text + "; it does not have this placement";
  return text + fmt::format("; it has {} to {}", range->first, range->second);
}

}  // namespace mimus::emulator
