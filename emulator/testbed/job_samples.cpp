// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_samples.hpp"

#include <algorithm>
#include <set>

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

std::vector<scheduler::JobSample> job_samples(std::span<const StepWindow> windows,
                                              const scheduler::Allocation& allocation,
                                              const scheduler::ClusterShape& shape,
                                              const workloads::Model& model) {
  const int nodes = nodes_of(allocation, shape);
  std::vector<scheduler::JobSample> samples;
  samples.reserve(windows.size());
  for (const StepWindow& window : windows) {
    samples.push_back({.begin = window.begin,
                       .end = window.end,
                       .steps = window.steps,
                       .gpus = static_cast<int>(allocation.slots.size()),
                       .nodes = nodes,
                       .batch = window.batch,
                       .step = window.step_mean,
                       .sync = window.exposed_communication,
                       .noise_scale = window.noise_scale,
                       .utilisation = utilisation_of(window),
                       .memory = memory_of(window, model),
                       .co_tenants = window.co_tenants});
  }
  return samples;
}

}  // namespace mimus::emulator
