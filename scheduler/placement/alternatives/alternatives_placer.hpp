// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/alternatives/job_alternatives.hpp"
#include "scheduler/placement/nodes/scored_placer.hpp"

namespace mimus::scheduler {

/// Tries the alternatives that a job has come to, in their order, each on its least loaded nodes.
class AlternativesPlacer final : public NodePlacer {
 public:
  /// Cluster and sharing must outlive it.
  AlternativesPlacer(const Cluster& cluster, const Sharing& sharing, const AlternativeLists& lists);
  [[nodiscard]] std::optional<Allocation> find(const PlacementRequest& request) override;

 private:
  [[nodiscard]] std::optional<Allocation> find_on(const PlacementRequest& request, GpuTypes types,
                                                  const Alternative& alternative);
  /// Those of which so much is idle.
  [[nodiscard]] GpuTypes idle_enough(GpuTypes types, double above) const;

  const Cluster& cluster_;
  JobAlternatives alternatives_;
  ScoredPlacer nodes_;
};

}  // namespace mimus::scheduler
