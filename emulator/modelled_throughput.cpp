// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/modelled_throughput.hpp"

#include <fmt/format.h>

namespace mimus::emulator {

using scheduler::Locality;

kernels::GangLink gang_link(const ClusterConfig& cluster, const kernels::GpuSpec& gpu,
                            std::span<const scheduler::Slot> slots) {
  constexpr Duration kLocalLatency = std::chrono::microseconds{5};
  switch (cluster.shape.locality(slots)) {
    case Locality::same_gpu:
    case Locality::same_island:
      return {gpu.island_link, kLocalLatency};
    case Locality::same_node:
      return {std::min(gpu.island_link, gpu.node_link), kLocalLatency};
    case Locality::same_rack:
      return {std::min(gpu.node_link, cluster.network), cluster.network_latency};
    case Locality::across_racks:
      return {std::min(gpu.node_link, cluster.rack_network), 2 * cluster.network_latency};
  }
  throw InternalError("unknown locality");
}

ModelledThroughput::ModelledThroughput(ClusterConfig cluster,
                                       const workloads::ModelCatalogue& models)
    : cluster_(std::move(cluster)), models_(models) {}

std::optional<Duration> ModelledThroughput::step_time(const std::string& model,
                                                      const scheduler::Allocation& allocation,
                                                      const scheduler::BatchPlan& batch) const {
  const workloads::Model* found = models_.find(model);
  if (found == nullptr || allocation.slots.empty()) return std::nullopt;
  const auto& slots = allocation.slots;
  const auto locality = static_cast<int>(cluster_.shape.locality(slots));
  const Key key{model, fmt::format("{}/{}", cluster_.shape.shape_of(slots), locality),
                batch.per_gpu, batch.accumulation};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const auto& gpu = kernels::gpu_spec(cluster_.shape.gpu_type);
  const kernels::StepShape shape{.per_gpu_batch = batch.per_gpu,
                                 .accumulation = batch.accumulation,
                                 .replicas = static_cast<int>(slots.size())};
  const auto time = kernels::solo_step_time(kernels::make_plan(*found, gpu, shape),
                                            gang_link(cluster_, gpu, slots));
  return known_[key] = time.total;
}

}  // namespace mimus::emulator
