// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "emulator/cell_config.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/parallel/split_step_time.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// The narrowest link of a gang's ring: the island or node fabric of the GPU type within a node,
/// the nodes' uplinks across nodes, the rack network across racks. `sharing_uplink` such rings
/// share an uplink.
[[nodiscard]] kernels::GangLink gang_link(const ClusterConfig& cluster,
                                          std::span<const scheduler::Slot> slots,
                                          int sharing_uplink = 1);

/// The links of all groups of a gang whose members are on `slots`, in the order of their ranks. Of
/// several groups of a kind in a stage the narrowest counts.
[[nodiscard]] kernels::GangLinks gang_links(const ClusterConfig& cluster,
                                            std::span<const scheduler::Slot> slots,
                                            const workloads::ModelSplit& split);

/// Nodes that a gang has GPUs on.
[[nodiscard]] int nodes_of(const scheduler::ClusterShape& shape,
                           std::span<const scheduler::Slot> slots);
/// The GPU types of a gang.
[[nodiscard]] scheduler::GpuTypes types_of(const scheduler::ClusterShape& shape,
                                           std::span<const scheduler::Slot> slots);
/// The plans of a gang's replicas on the GPUs of one of its types, and their step over its links.
struct GangStep {
  std::vector<kernels::FootprintPlan> plans;  ///< of make_gang_plans()
  kernels::StepTime time;
};
/// The step of a gang alone on GPUs of these types. Its pace is that of its slowest members,
/// because all wait for each other in every step: the plans are theirs.
[[nodiscard]] GangStep slowest_step(const ClusterConfig& cluster, const workloads::Model& model,
                                    const kernels::StepShape& shape, scheduler::GpuTypes types,
                                    const kernels::GangLinks& links, int on_fullest_node);
/// GPUs of a gang on the node where it has most.
[[nodiscard]] int most_on_a_node(const scheduler::ClusterShape& shape,
                                 std::span<const scheduler::Slot> slots);

/// Everything about a gang's placement on which its links depend, as a key.
[[nodiscard]] std::string arrangement_of(const ClusterConfig& cluster,
                                         std::span<const scheduler::Slot> slots,
                                         const workloads::ModelSplit& split);

/// Solo step times of the footprint model: what a site knows after profiling its models offline.
class ModelledThroughput : public scheduler::ThroughputEstimate {
 public:
  /// `models` must outlive this object.
  ModelledThroughput(ClusterConfig cluster, const workloads::ModelCatalogue& models);

  [[nodiscard]] std::string name() const override { return "footprint model"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string& model,
                                                  const scheduler::Allocation& allocation,
                                                  const scheduler::BatchPlan& batch) const override;

 private:
  using Key = std::tuple<std::string, std::string, std::int64_t, int>;  ///< model, shape, batch
  ClusterConfig cluster_;
  const workloads::ModelCatalogue& models_;
  mutable std::map<Key, Duration> known_;  ///< the batch choice asks for fifty batches per decision
};

}  // namespace mimus::emulator
