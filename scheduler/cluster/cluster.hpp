// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "scheduler/cluster/node_index.hpp"
#include "scheduler/cluster/shared_gpus.hpp"
#include "scheduler/containers/gpu_bitmap.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/job_kind.hpp"

namespace mimus::scheduler {

/// The inventory, fixed for a run. Nodes, racks and GPUs are numbered in reading order.
struct ClusterShape {
  int nodes = 1;
  int gpus_per_node = 1;
  int gpus_per_island = 1;  ///< GPUs behind one NVLink/PCIe switch; divides gpus_per_node
  int nodes_per_rack = 1;
  int lanes_per_gpu = 1;  ///< most tenants a GPU can physically take
  std::string gpu_type;
  Bytes gpu_memory{};  ///< of one GPU; zero means not stated, so nothing is refused for memory

  [[nodiscard]] int gpus() const { return nodes * gpus_per_node; }
  [[nodiscard]] NodeId node_of(GpuId gpu) const { return NodeId{gpu.value() / gpus_per_node}; }
  [[nodiscard]] RackId rack_of(NodeId node) const { return RackId{node.value() / nodes_per_rack}; }
  [[nodiscard]] int racks() const { return (nodes + nodes_per_rack - 1) / nodes_per_rack; }
  [[nodiscard]] int island_of(GpuId gpu) const {
    return static_cast<int>(gpu.value()) / gpus_per_island;
  }
  [[nodiscard]] LaneId lane_of(GpuId gpu, int lane) const {
    return LaneId{gpu.value() * lanes_per_gpu + lane};
  }
  /// Worst link inside a gang; same_gpu for a single slot.
  [[nodiscard]] Locality locality(std::span<const Slot> slots) const;
  /// Replicas per node, descending, e.g. "4", "2+2", "1+1": two allocations of one shape cost the
  /// same on this cluster. Prefixed with "racks:N/" when more than one rack is spanned.
  [[nodiscard]] std::string shape_of(std::span<const Slot> slots) const;
};

/// A job's presence on one GPU.
struct Tenant {
  JobId job;
  AttemptId attempt;
  LaneId lane;
  Bytes memory{};  ///< believed need of one replica
  MilliGpus share = kWholeGpu;
  const JobKind* kind = nullptr;  ///< null where no choice tells jobs apart
};

struct GpuState {
  GpuId id;
  NodeId node;
  bool up = true;
  bool lost = false;            ///< for good
  std::vector<Tenant> tenants;  ///< at most lanes_per_gpu
  [[nodiscard]] bool idle() const { return tenants.empty(); }
  [[nodiscard]] Bytes used_memory() const;
  /// What its tenants' shares leave; nothing beside a tenant that holds all of it.
  [[nodiscard]] MilliGpus free_share() const;
};

/// What one attempt holds.
struct Holding {
  JobId job;
  Allocation allocation;
  Bytes memory{};  ///< believed need of one replica
  const JobKind* kind = nullptr;
};

/// Who holds what. All changes go through allocate and release, which keep the invariants:
/// a lane has at most one tenant, a job appears at most once on a GPU, gangs are all or nothing,
/// and parts of a GPU add up to no more than all of it.
class Cluster {
 public:
  explicit Cluster(ClusterShape shape);

  [[nodiscard]] const ClusterShape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<GpuState>& gpus() const { return gpus_; }
  [[nodiscard]] const GpuState& gpu(GpuId id) const { return gpus_.at(id.index()); }
  /// GPUs that are up and have no tenant.
  [[nodiscard]] int idle_gpus() const { return idle_gpus_; }
  /// Tenants of all GPUs of the node together.
  [[nodiscard]] int tenants_on(NodeId node) const { return node_tenants_.at(node.index()); }
  /// Nodes with a tenant.
  [[nodiscard]] int nodes_in_use() const { return nodes_in_use_; }
  /// Device memory that attempts are believed to need, on all GPUs together.
  [[nodiscard]] Bytes memory_in_use() const { return memory_in_use_; }
  /// The lowest lane of a GPU without a tenant; "none" when all are taken.
  [[nodiscard]] LaneId free_lane(GpuId gpu) const;

  /// InternalError when any slot is taken, repeated or down; nothing is changed then.
  void allocate(JobId job, AttemptId attempt, Allocation allocation, Bytes memory,
                const JobKind* kind = nullptr);
  /// InternalError when the attempt holds nothing.
  void release(AttemptId attempt);
  void set_node_up(NodeId node, bool up);
  /// Takes the GPU out of the inventory for good. Its tenants stay until they are released.
  void lose_gpu(GpuId gpu);
  /// GPUs that are not lost, up or down.
  [[nodiscard]] int gpus_left() const { return shape_.gpus() - lost_gpus_; }

  /// InternalError when the attempt holds nothing. Valid until something else is allocated or
  /// released.
  [[nodiscard]] const Holding& holding(AttemptId attempt) const;
  /// New believed memory of each replica, after a change of batch.
  void set_memory(AttemptId attempt, Bytes memory);

  /// What-if: takes an attempt's tenants off their GPUs and puts them back. The attempt still
  /// holds its allocation; every vacate must be undone by reoccupy before anything else changes.
  void vacate(AttemptId attempt);
  void reoccupy(AttemptId attempt);

  /// Keeps a GPU from being offered (`withhold`) until as many `offer` calls have followed. Its
  /// tenants stay. For GPUs promised to another job and for nodes that sleep.
  void withhold(GpuId gpu);
  void offer(GpuId gpu);

  /// May anything be placed here: up and not withheld.
  [[nodiscard]] bool usable(GpuId gpu) const;
  /// Usable GPUs without a tenant, by node.
  [[nodiscard]] const NodeIndex& free_gpus() const { return free_; }
  /// The same GPUs one by one.
  [[nodiscard]] const GpuBitmap& free_set() const { return free_set_; }
  /// Usable GPUs with fewer than `tenants` tenants.
  [[nodiscard]] int gpus_below(int tenants) const;
  [[nodiscard]] const SharedGpus& shared() const { return shared_; }

 private:
  void check(JobId job, AttemptId attempt, const Allocation& allocation) const;
  void check_share(const GpuState& gpu, MilliGpus share) const;
  void check_distinct(const Allocation& allocation) const;
  void index(const GpuState& gpu, int sign);
  void count_tenant(NodeId node, int change);
  template <class Change>
  void change(GpuId id, Change&& apply);

  ClusterShape shape_;
  std::vector<GpuState> gpus_;
  int idle_gpus_ = 0;
  Bytes memory_in_use_{};
  int lost_gpus_ = 0;
  int nodes_in_use_ = 0;
  std::vector<int> node_tenants_;  ///< per node
  std::vector<int> withheld_;      ///< per GPU, how many hold it back
  std::vector<int> by_tenants_;    ///< usable GPUs with exactly that many tenants
  NodeIndex free_;
  GpuBitmap free_set_;
  SharedGpus shared_;
  IdMap<AttemptId, Holding> holdings_;
};

}  // namespace mimus::scheduler
