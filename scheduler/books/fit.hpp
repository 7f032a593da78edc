// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/placement/placement.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Sharing and placement together: the places where a gang could go now.
class Fit {
 public:
  Fit(const Cluster& cluster, const Sharing& sharing, const Placement& placement)
      : cluster_(cluster),
        sharing_(sharing),
        placement_(placement),
        max_tenants_(sharing.max_tenants()),
        types_(cluster.shape().types()),
        sharing_knows_kinds_(sharing.kind_traits().any()),
        sets_(cluster, sharing),
        placer_(placement.placer(cluster, sharing)) {}

  /// A place on GPUs of one type: the first of the types that the job may use that has room for its
  /// gang.
  [[nodiscard]] std::optional<Allocation> find(const PlacementRequest& request) const;
  /// The same GPUs again, if the gang could go there now. Nothing for jobs without GPUs.
  [[nodiscard]] std::optional<Allocation> find_again(const PlacementRequest& request,
                                                     const Allocation& place) const;
  /// An upper bound of the GPUs that could take one more tenant with any memory and share.
  [[nodiscard]] int open_gpus() const;
  /// True if enough is free for the request among GPUs of one type, wherever they are.
  [[nodiscard]] bool has_capacity(const PlacementRequest& request) const;

 private:
  /// True if this number of GPUs of the type could take one more tenant.
  [[nodiscard]] bool has_open(int type, int gpus) const;
  [[nodiscard]] std::optional<Allocation> find_in_tier(Tier tier, const PlacementRequest& request,
                                                       int type) const;
  [[nodiscard]] bool divides() const { return cluster_.shared().tracked() && sharing_.divides(); }
  [[nodiscard]] ReplicaNeed need_of(const PlacementRequest& request, MilliGpus share) const;
  [[nodiscard]] std::optional<Allocation> find_in(const GpuFilter& filter,
                                                  const PlacementRequest& request) const;
  [[nodiscard]] std::optional<Allocation> find_tightest(const PlacementRequest& request,
                                                        int type) const;
  [[nodiscard]] std::optional<Allocation> find_partner(const PlacementRequest& request,
                                                       int type) const;
  /// The allocation of the job on this GPU, if all of its GPUs are among `members`, on one node,
  /// and as many as requested. Null also for all but the first of its GPUs.
  [[nodiscard]] const Allocation* partner_on(GpuId gpu, const GpuBitmap& members, int gang) const;

  const Cluster& cluster_;
  const Sharing& sharing_;
  const Placement& placement_;
  int max_tenants_;                     ///< of a GPU
  int types_;                           ///< of GPUs
  bool sharing_knows_kinds_;            ///< otherwise one set of GPUs serves all kinds
  mutable GpuSets sets_;                ///< a cache
  std::unique_ptr<NodePlacer> placer_;  ///< null if the placement takes sets of GPUs
};

}  // namespace mimus::scheduler
