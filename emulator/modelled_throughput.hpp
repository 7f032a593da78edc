// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "emulator/cell_config.hpp"
#include "kernels/footprint_plan.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "workloads/model_catalogue.hpp"

namespace mimus::emulator {

/// The narrowest link of a gang's ring: the island or node fabric of the GPU type within a node,
/// the nodes' uplinks across nodes, the rack network across racks.
[[nodiscard]] kernels::GangLink gang_link(const ClusterConfig& cluster, const kernels::GpuSpec& gpu,
                                          std::span<const scheduler::Slot> slots);

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
  mutable std::map<Key, Duration> known_;  ///< sizing asks for fifty batches per decision
};

}  // namespace mimus::emulator
