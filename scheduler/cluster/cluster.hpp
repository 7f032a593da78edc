// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "scheduler/cluster/node_changes.hpp"
#include "scheduler/cluster/node_groups.hpp"
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
  int gpus_per_node = 1;    ///< of the largest node
  int gpus_per_island = 1;  ///< GPUs behind one NVLink/PCIe switch; divides gpus_per_node
  int nodes_per_rack = 1;
  int lanes_per_gpu = 1;  ///< most tenants a GPU can physically take
  std::string gpu_type;   ///< names of all types, joined
  Bytes gpu_memory{};  ///< of one GPU, the least; zero: not stated, nothing is refused for memory
  /// Cores and memory of a node if all nodes are identical. Zero: not stated, no limit.
  HostNeed host{};
  /// Cores that jobs may ask for per core of a node, at least 1. Above it, cores may be short.
  double core_overcommit = 1.0;
  Bytes data_cache{};  ///< for data sets, of all nodes together
  /// Null if all nodes are identical, as the members above describe. Otherwise it holds their
  /// differences.
  std::shared_ptr<const NodeGroups> groups{};

  /// The shape of nodes by groups; the short form if all are identical.
  [[nodiscard]] static ClusterShape of_groups(const std::vector<NodeGroup>& groups,
                                              int nodes_per_rack);

  /// True if some node states its cores or memory.
  [[nodiscard]] bool has_hosts() const;
  /// What can be taken of a node; more than any job requests if it is not stated.
  [[nodiscard]] HostNeed host_of(NodeId node) const;
  /// Thousandths of the cores that a node has; 0: not stated.
  [[nodiscard]] std::int64_t milli_cores_of(NodeId node) const {
    return (groups ? groups->group_of(node).host : host).milli_cores;
  }
  [[nodiscard]] int gpus() const { return groups ? groups->gpus() : nodes * gpus_per_node; }
  [[nodiscard]] NodeId node_of(GpuId gpu) const {
    return NodeId{groups ? groups->node_of(gpu) : gpu.value() / gpus_per_node};
  }
  [[nodiscard]] RackId rack_of(NodeId node) const { return RackId{node.value() / nodes_per_rack}; }
  [[nodiscard]] int racks() const { return (nodes + nodes_per_rack - 1) / nodes_per_rack; }
  [[nodiscard]] int island_of(GpuId gpu) const {
    return groups ? groups->island_of(gpu) : static_cast<int>(gpu.value()) / gpus_per_island;
  }
  [[nodiscard]] LaneId lane_of(GpuId gpu, int lane) const {
    return LaneId{gpu.value() * lanes_per_gpu + lane};
  }
  /// GPUs of a node have consecutive numbers from this one on.
  [[nodiscard]] std::int64_t first_gpu(NodeId node) const {
    return groups ? groups->first_gpu(node) : node.value() * gpus_per_node;
  }
  [[nodiscard]] int gpus_on(NodeId node) const {
    return groups ? groups->group_of(node).gpus_per_node : gpus_per_node;
  }
  /// Number of nodes that are like `first`, the first of its group; its group ends after them.
  [[nodiscard]] int group_size(NodeId first) const {
    return groups ? groups->group_of(first).nodes : nodes;
  }
  [[nodiscard]] int island_size(NodeId node) const {
    return groups ? groups->group_of(node).gpus_per_island : gpus_per_island;
  }

  // GPU types have numbers, in the order in which the inventory names them.
  [[nodiscard]] int types() const { return groups ? static_cast<int>(groups->types().size()) : 1; }
  [[nodiscard]] int type_of(NodeId node) const { return groups ? groups->type_of(node) : 0; }
  [[nodiscard]] int type_of(GpuId gpu) const { return groups ? type_of(node_of(gpu)) : 0; }
  [[nodiscard]] const std::string& type_name(int type) const {
    return groups ? groups->types()[static_cast<std::size_t>(type)].name : gpu_type;
  }
  /// "none" for a name that no group has.
  [[nodiscard]] std::optional<int> type_named(const std::string& name) const;
  [[nodiscard]] Bytes memory_of_type(int type) const {
    return groups ? groups->types()[static_cast<std::size_t>(type)].gpu_memory : gpu_memory;
  }
  [[nodiscard]] Bytes memory_of(GpuId gpu) const {
    return groups ? memory_of_type(type_of(gpu)) : gpu_memory;
  }
  /// The least memory among these types, of which the cluster has at least one.
  [[nodiscard]] Bytes memory_of_types(GpuTypes types) const;
  /// The first GPU of a type.
  [[nodiscard]] GpuId first_of_type(int type) const {
    return GpuId{groups ? groups->types()[static_cast<std::size_t>(type)].first_gpu : 0};
  }
  [[nodiscard]] int gpus_of_type(int type) const {
    return groups ? groups->types()[static_cast<std::size_t>(type)].gpus : gpus();
  }
  /// GPUs of the largest node of a type, or of any.
  [[nodiscard]] int most_per_node(int type) const {
    return groups && type != kAnyType
               ? groups->types()[static_cast<std::size_t>(type)].most_per_node
               : gpus_per_node;
  }
  /// Largest number of GPUs of a type, or of any, in one rack.
  [[nodiscard]] int most_in_rack(int type) const {
    return groups && type != kAnyType ? groups->types()[static_cast<std::size_t>(type)].most_in_rack
                                      : std::min(nodes_per_rack, nodes) * gpus_per_node;
  }

  /// Worst link inside a gang; same_gpu for a single slot.
  [[nodiscard]] Locality locality(std::span<const Slot> slots) const;
  /// Replicas per node, descending, e.g. "4", "2+2", "1+1": two allocations of one shape cost the
  /// same on this cluster if they are on GPUs of one type. Prefixed with "racks:N/" when more than
  /// one rack is spanned.
  [[nodiscard]] std::string shape_of(std::span<const Slot> slots) const;
  /// The types of these GPUs, by number and joined by "+".
  [[nodiscard]] std::string types_of(std::span<const Slot> slots) const;
};

/// What an allocation takes of each node, replica by replica: take(node, need).
template <class Take>
void each_host(const ClusterShape& shape, const Allocation& allocation, Take&& take) {
  if (!allocation.host.any()) return;
  if (allocation.slots.empty()) return take(allocation.node, allocation.host);
  const auto replicas = static_cast<std::int64_t>(allocation.slots.size());
  for (std::int64_t i = 0; i < replicas; ++i) {
    take(shape.node_of(allocation.slots[static_cast<std::size_t>(i)].gpu),
         allocation.host.part(i, replicas));
  }
}

/// A job's presence on one GPU.
struct Tenant {
  JobId job;
  AttemptId attempt;
  LaneId lane;
  Bytes memory{};  ///< estimated need of one replica
  MilliGpus share = kWholeGpu;
  const JobKind* kind = nullptr;  ///< null if no choice distinguishes kinds of jobs
};

struct GpuState {
  GpuId id;
  NodeId node;
  bool up = true;
  bool lost = false;            ///< for good
  std::vector<Tenant> tenants;  ///< at most lanes_per_gpu
  [[nodiscard]] bool idle() const { return tenants.empty(); }
  [[nodiscard]] Bytes used_memory() const;
  /// The share that its tenants leave; nothing if a tenant holds all of it.
  [[nodiscard]] MilliGpus free_share() const;
};

/// The resources of one attempt.
struct Holding {
  JobId job;
  Allocation allocation;
  Bytes memory{};  ///< estimated need of one replica
  const JobKind* kind = nullptr;
};

/// The allocations of all attempts. All changes go through allocate and release, which keep the
/// invariants: a lane has at most one tenant, a job appears at most once on a GPU, gangs are all or
/// nothing, and neither shares of a GPU nor cores and memory of a node add up to more than the
/// whole.
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
  /// True if its nodes have the cores and the memory that it takes.
  [[nodiscard]] bool has_hosts_for(const Allocation& allocation) const;
  /// Free cores and memory of the node; more than any job requests if they are not stated.
  [[nodiscard]] HostNeed free_host(NodeId node) const {
    return free_hosts_.empty() ? shape_.host_of(node) : free_hosts_[node.index()];
  }
  /// The same of all nodes together.
  [[nodiscard]] const HostNeed& free_hosts() const { return free_host_sum_; }
  /// Keeps track of changes from now on, for indexes over the cluster.
  void keep_node_changes() const { node_changes_.keep(); }
  [[nodiscard]] const NodeChanges& node_changes() const { return node_changes_; }
  /// Estimated device memory of attempts, on all GPUs together.
  [[nodiscard]] Bytes memory_in_use() const { return memory_in_use_; }
  /// The lowest lane of a GPU without a tenant; "none" if all are taken.
  [[nodiscard]] LaneId free_lane(GpuId gpu) const;

  /// Throws InternalError, with no effect, if any slot is taken, repeated or down.
  void allocate(JobId job, AttemptId attempt, Allocation allocation, Bytes memory,
                const JobKind* kind = nullptr);
  /// InternalError when the attempt holds nothing.
  void release(AttemptId attempt);
  void set_node_up(NodeId node, bool up);
  /// Removes the GPU from the inventory permanently. Its tenants stay until they are released.
  void lose_gpu(GpuId gpu);
  /// GPUs that are not lost, up or down.
  [[nodiscard]] int gpus_left() const { return shape_.gpus() - lost_gpus_; }
  /// Those of one type.
  [[nodiscard]] int gpus_left(int type) const {
    return shape_.gpus_of_type(type) - lost_of_type_[static_cast<std::size_t>(type)];
  }

  /// InternalError when the attempt holds nothing. Valid until something else is allocated or
  /// released.
  [[nodiscard]] const Holding& holding(AttemptId attempt) const;
  /// New estimated memory of each replica, after a change of batch.
  void set_memory(AttemptId attempt, Bytes memory);

  /// What-if: takes an attempt's tenants off their GPUs and puts them back. The attempt still
  /// holds its allocation; every vacate must be undone by reoccupy before anything else changes.
  void vacate(AttemptId attempt);
  void reoccupy(AttemptId attempt);

  /// Keeps a GPU from being offered (`withhold`) until as many `offer` calls have followed. Its
  /// tenants stay. For GPUs promised to another job and for nodes that sleep.
  void withhold(GpuId gpu);
  void offer(GpuId gpu);

  /// Whether anything may be placed here: up and not withheld.
  [[nodiscard]] bool usable(GpuId gpu) const;
  /// Usable GPUs without a tenant, by node.
  [[nodiscard]] const NodeIndex& free_gpus() const { return free_; }
  /// Those of one type, or of any.
  [[nodiscard]] const NodeIndex& free_gpus(int type) const {
    return type == kAnyType || free_of_type_.empty()
               ? free_
               : free_of_type_[static_cast<std::size_t>(type)];
  }
  /// The same GPUs one by one.
  [[nodiscard]] const GpuBitmap& free_set() const { return free_set_; }
  /// Usable GPUs with fewer than `tenants` tenants.
  [[nodiscard]] int gpus_below(int tenants) const;
  /// Those of one type.
  [[nodiscard]] int gpus_below(int tenants, int type) const;
  [[nodiscard]] const SharedGpus& shared() const { return shared_; }

 private:
  void check(JobId job, AttemptId attempt, const Allocation& allocation) const;
  void check_share(const GpuState& gpu, MilliGpus share) const;
  void check_distinct(const Allocation& allocation) const;
  void take_hosts(const Allocation& allocation, int sign);
  void take_host(NodeId node, HostNeed need, int sign);
  void index(const GpuState& gpu, int sign);
  void count_tenant(NodeId node, int change);
  void index_type(const GpuState& gpu, int sign);
  template <class Change>
  void change(GpuId id, Change&& apply);

  ClusterShape shape_;
  std::vector<GpuState> gpus_;
  int idle_gpus_ = 0;
  Bytes memory_in_use_{};
  int lost_gpus_ = 0;
  int nodes_in_use_ = 0;
  std::vector<int> node_tenants_;     ///< per node
  std::vector<HostNeed> free_hosts_;  ///< per node; empty if none is stated
  HostNeed free_host_sum_;
  mutable NodeChanges node_changes_;
  std::vector<int> lost_of_type_;
  std::vector<int> withheld_;            ///< per GPU: number of withholdings
  std::vector<int> by_tenants_;          ///< usable GPUs with exactly that many tenants
  std::vector<int> by_tenants_of_type_;  ///< the same by type; empty with one type
  NodeIndex free_;
  std::vector<NodeIndex> free_of_type_;  ///< empty with one type
  GpuBitmap free_set_;
  SharedGpus shared_;
  IdMap<AttemptId, Holding> holdings_;
};

}  // namespace mimus::scheduler
