// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_samples.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::emulator {
namespace {

int nodes_of(const scheduler::Allocation& allocation, const scheduler::ClusterShape& shape) {
  std::set<NodeId> nodes;
  for (const auto& slot : allocation.slots) nodes.insert(shape.node_of(slot.gpu));
  return static_cast<int>(nodes.size());
}

/// Memory that a job uses. Some devices measure it; otherwise it is that of the footprint.
Bytes memory_of(const StepWindow& window, const workloads::Model& model) {
  const double peak = window.reading.memory_peak;
  return peak >= 0.0 ? Bytes{peak} : model.memory(window.batch.per_gpu);
}

double utilisation_of(const StepWindow& window) {
  const double step = to_seconds(window.step_mean);
  return step > 0.0 ? std::min(1.0, to_seconds(window.device_busy) / step) : 0.0;
}

}  // namespace

double reported_loss(const JobTruth& truth, double samples_done, double samples,
                     std::uint64_t seed) {
  constexpr double kLeast = 1e-3;
  const workloads::LossCurve& curve = truth.model->loss;
  const double progress = std::clamp(samples_done / truth.job.work_samples, 0.0, 1.0);
  const NumberedStreams noise(seed, fmt::format("loss of job {}", truth.job.id.value()));
  const double deviation = curve.shape().spread / std::sqrt(std::max(samples, 1.0)) *
                           noise.at(std::llround(samples_done)).normal();
  return curve.at(truth.job.loss_pace * progress) * std::max(1.0 + deviation, kLeast);
}

TrainingState training_state(const StepWindow& window, const JobTruth& truth,
                             const LearningTruth& learning, std::uint64_t seed) {
  if (truth.model == nullptr) return {};
  const auto reference = static_cast<double>(truth.model->batch.reference);
  const auto total = static_cast<double>(window.batch.total(truth.last.slots.size()));
  return {reported_loss(truth, window.samples_done, window.samples, seed),
          learning.factor(window.noise_scale, reference, total, window.samples_done)};
}

std::vector<scheduler::JobSample> job_samples(std::span<const StepWindow> windows,
                                              const JobTruth& truth,
                                              const scheduler::ClusterShape& shape,
                                              std::uint64_t seed) {
  const int nodes = nodes_of(truth.last, shape);
  std::vector<scheduler::JobSample> samples;
  samples.reserve(windows.size());
  for (const StepWindow& window : windows) {
    samples.push_back({.begin = window.begin,
                       .end = window.end,
                       .steps = window.steps,
                       .gpus = static_cast<int>(truth.last.slots.size()),
                       .nodes = nodes,
                       .batch = window.batch,
                       .step = window.step_mean - window.unnoticed,
                       .sync = window.exposed_communication,
                       .noise_scale = window.noise_scale,
                       .samples_done = window.samples_done,
                       .loss = reported_loss(truth, window.samples_done, window.samples, seed),
                       .utilisation = utilisation_of(window),
                       .memory = memory_of(window, *truth.model),
                       .co_tenants = window.co_tenants});
  }
  return samples;
}

}  // namespace mimus::emulator
