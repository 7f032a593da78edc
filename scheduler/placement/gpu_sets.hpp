// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Which GPUs may be used: those of a type and of `tier` that take a replica with `need`. In the
/// tightest tier `need.share` is exactly what they have left.
struct GpuFilter {
  Tier tier = Tier::idle;
  ReplicaNeed need;
  int type = kAnyType;  ///< of GPU
  bool operator==(const GpuFilter&) const = default;
  [[nodiscard]] bool passes(const Cluster& cluster, const Sharing& sharing,
                            const GpuState& gpu) const;
};

struct GpuFilterHash {
  [[nodiscard]] std::size_t operator()(const GpuFilter& filter) const noexcept;
};

/// The usable GPUs of recently used filters, counted by node. A repeated question costs the GPUs
/// that have changed since; a first one costs all of them.
class GpuSets {
 public:
  /// Both must outlive this object.
  GpuSets(const Cluster& cluster, const Sharing& sharing);

  /// Both are valid until the cluster changes or another set is asked for.
  [[nodiscard]] const NodeIndex& by_node(const GpuFilter& filter) { return set(filter).by_node; }
  [[nodiscard]] const GpuBitmap& members(const GpuFilter& filter) { return set(filter).members; }

 private:
  struct Set {
    NodeIndex by_node;
    GpuBitmap members;
    std::uint64_t seen = 0;  ///< changes of the cluster
    std::uint64_t used = 0;  ///< when it was asked for last
  };
  [[nodiscard]] Set& set(const GpuFilter& filter);
  [[nodiscard]] Set fresh() const { return {NodeIndex(shape()), GpuBitmap(shape().gpus())}; }
  [[nodiscard]] const ClusterShape& shape() const { return cluster_.shape(); }
  void look_at(GpuId gpu, const GpuFilter& filter, Set& set) const;
  void fill(const GpuFilter& filter, Set& set) const;
  void catch_up(const GpuFilter& filter, Set& set) const;

  const Cluster& cluster_;
  const Sharing& sharing_;
  std::unordered_map<GpuFilter, Set, GpuFilterHash> sets_;
  std::size_t most_;  ///< sets that are kept
  std::uint64_t uses_ = 0;
};

}  // namespace mimus::scheduler
