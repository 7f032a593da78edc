// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cluster/cluster.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

ClusterShape checked(ClusterShape shape) {
  ensure(shape.nodes >= 1 && shape.gpus_per_node >= 1 && shape.gpus_per_island >= 1 &&
             shape.nodes_per_rack >= 1 && shape.lanes_per_gpu >= 1,
         "a cluster needs at least one node, GPU, island, rack and lane");
  ensure(shape.groups || shape.gpus_per_node % shape.gpus_per_island == 0,
         "gpus_per_island must divide gpus_per_node");
  ensure(!shape.groups || shape.groups->nodes() == shape.nodes,
         "a cluster has as many nodes as its groups");
  return shape;
}

}  // namespace

Bytes GpuState::used_memory() const {
  Bytes used{};
  for (const Tenant& tenant : tenants) used += tenant.memory;
  return used;
}

MilliGpus GpuState::free_share() const {
  MilliGpus held;
  for (const Tenant& tenant : tenants) held += tenant.share;
  return std::max(kWholeGpu - held, MilliGpus{});
}

Cluster::Cluster(ClusterShape shape)
    : shape_(checked(std::move(shape))),
      node_tenants_(static_cast<std::size_t>(shape_.nodes), 0),
      lost_of_type_(static_cast<std::size_t>(shape_.types()), 0),
      withheld_(static_cast<std::size_t>(shape_.gpus()), 0),
      by_tenants_(static_cast<std::size_t>(shape_.lanes_per_gpu) + 1, 0),
      free_(shape_),
      free_set_(shape_.gpus()),
      shared_(shape_) {
  if (shape_.has_hosts()) {
    for (int n = 0; n < shape_.nodes; ++n) {
      free_host_sum_ += free_hosts_.emplace_back(shape_.host_of(NodeId{n}));
    }
  }
  if (shape_.types() > 1) {
    free_of_type_.assign(static_cast<std::size_t>(shape_.types()), NodeIndex(shape_));
    by_tenants_of_type_.assign(by_tenants_.size() * free_of_type_.size(), 0);
  }
  gpus_.reserve(static_cast<std::size_t>(shape_.gpus()));
  for (int g = 0; g < shape_.gpus(); ++g) {
    GpuState& gpu = gpus_.emplace_back();
    gpu.id = GpuId{g};
    gpu.node = shape_.node_of(gpu.id);
    gpu.tenants.reserve(static_cast<std::size_t>(shape_.lanes_per_gpu));
    index(gpu, +1);
  }
}

LaneId Cluster::free_lane(GpuId gpu) const {
  const auto& tenants = gpus_.at(gpu.index()).tenants;
  for (int lane = 0; lane < shape_.lanes_per_gpu; ++lane) {
    const LaneId id = shape_.lane_of(gpu, lane);
    const auto taken = [&](const Tenant& tenant) { return tenant.lane == id; };
    if (std::none_of(tenants.begin(), tenants.end(), taken)) return id;
  }
  return LaneId{};
}

void Cluster::check(JobId job, AttemptId attempt, const Allocation& allocation) const {
  ensure(holdings_.find(attempt) == nullptr, "an attempt is allocated twice");
  ensure(!allocation.slots.empty() || (allocation.node && allocation.node.value() < shape_.nodes),
         "an allocation needs at least one slot, or a node");
  for (const Slot& slot : allocation.slots) {
    const GpuState& gpu = gpus_.at(slot.gpu.index());
    const std::int64_t lane = slot.lane.value() - shape_.lane_of(slot.gpu, 0).value();
    ensure(gpu.up, "a slot is on a node that is down");
    ensure(lane >= 0 && lane < shape_.lanes_per_gpu, "a slot's lane is not one of its GPU");
    for (const Tenant& tenant : gpu.tenants) {
      ensure(tenant.lane != slot.lane, "a slot is taken");
      ensure(tenant.job != job, "a job would be on one GPU twice");
    }
    check_share(gpu, allocation.share);
  }
  check_distinct(allocation);
  ensure(has_hosts_for(allocation), "a node has fewer cores or less memory than are taken");
}

bool Cluster::has_hosts_for(const Allocation& allocation) const {
  if (free_hosts_.empty()) return true;
  std::vector<std::pair<NodeId, HostNeed>> needs;
  each_host(shape_, allocation, [&](NodeId node, const HostNeed& need) {
    const auto same = [&](const auto& entry) { return entry.first == node; };
    const auto found = std::find_if(needs.begin(), needs.end(), same);
    (found == needs.end() ? needs.emplace_back(node, HostNeed{}) : *found).second += need;
  });
  return std::all_of(needs.begin(), needs.end(), [&](const auto& entry) {
    return entry.second.within(free_host(entry.first));
  });
}

void Cluster::take_hosts(const Allocation& allocation, int sign) {
  each_host(shape_, allocation,
            [&](NodeId node, const HostNeed& need) { take_host(node, need, sign); });
}

void Cluster::take_host(NodeId node, HostNeed need, int sign) {
  if (free_hosts_.empty()) return;
  for (HostNeed* free : {&free_hosts_[node.index()], &free_host_sum_}) {
    sign > 0 ? * free -= need : * free += need;
  }
  node_changes_.note(node);
}

void Cluster::check_share(const GpuState& gpu, MilliGpus share) const {
  const auto is_part = [](const Tenant& tenant) { return tenant.share < kWholeGpu; };
  const bool divided =
      share < kWholeGpu || std::any_of(gpu.tenants.begin(), gpu.tenants.end(), is_part);
  ensure(!divided || share <= gpu.free_share(), "a GPU is divided into more than itself");
}

void Cluster::check_distinct(const Allocation& allocation) const {
  const auto& slots = allocation.slots;
  const auto not_before = [](const Slot& a, const Slot& b) { return a.gpu >= b.gpu; };
  if (std::adjacent_find(slots.begin(), slots.end(), not_before) == slots.end()) return;
  std::vector<GpuId> seen;
  seen.reserve(slots.size());
  for (const Slot& slot : slots) seen.push_back(slot.gpu);
  std::sort(seen.begin(), seen.end());
  ensure(std::adjacent_find(seen.begin(), seen.end()) == seen.end(), "a gang repeats a GPU");
}

void Cluster::index(const GpuState& gpu, int sign) {
  if (gpu.up && gpu.idle()) idle_gpus_ += sign;
  if (!usable(gpu.id)) return;
  by_tenants_[gpu.tenants.size()] += sign;
  if (shared_.tracked()) shared_.count(gpu, shape_.type_of(gpu.node), sign);
  if (!free_of_type_.empty()) index_type(gpu, sign);
  if (!gpu.idle()) return;
  free_.add(gpu.node, sign);
  free_set_.set(gpu.id, sign > 0);
}

void Cluster::index_type(const GpuState& gpu, int sign) {
  const auto type = static_cast<std::size_t>(shape_.type_of(gpu.node));
  by_tenants_of_type_[type * by_tenants_.size() + gpu.tenants.size()] += sign;
  if (gpu.idle()) free_of_type_[type].add(gpu.node, sign);
}

template <class Change>
void Cluster::change(GpuId id, Change&& apply) {
  GpuState& gpu = gpus_.at(id.index());
  index(gpu, -1);
  apply(gpu);
  index(gpu, +1);
  if (shared_.tracked()) shared_.note_change(id);
  node_changes_.note(gpu.node);
}

void Cluster::allocate(JobId job, AttemptId attempt, Allocation allocation, Bytes memory,
                       const JobKind* kind) {
  check(job, attempt, allocation);
  memory_in_use_ += static_cast<double>(allocation.slots.size()) * memory;
  holdings_.insert(attempt, Holding{job, std::move(allocation), memory, kind});
  reoccupy(attempt);
}

void Cluster::release(AttemptId attempt) {
  vacate(attempt);
  const Holding& held = holding(attempt);
  memory_in_use_ -= static_cast<double>(held.allocation.slots.size()) * held.memory;
  holdings_.erase(attempt);
  if (holdings_.size() == 0) memory_in_use_ = Bytes{};  // sums of differences are not exact
}

void Cluster::count_tenant(NodeId node, int change) {
  int& tenants = node_tenants_[node.index()];
  nodes_in_use_ -= tenants > 0 ? 1 : 0;
  tenants += change;
  nodes_in_use_ += tenants > 0 ? 1 : 0;
}

void Cluster::vacate(AttemptId attempt) {
  const Allocation& allocation = holding(attempt).allocation;
  take_hosts(allocation, -1);
  if (allocation.slots.empty()) count_tenant(allocation.node, -1);
  for (const Slot& slot : allocation.slots) {
    count_tenant(shape_.node_of(slot.gpu), -1);
    change(slot.gpu, [&](GpuState& gpu) {
      std::erase_if(gpu.tenants, [&](const Tenant& t) { return t.attempt == attempt; });
    });
  }
}

void Cluster::reoccupy(AttemptId attempt) {
  const Holding& held = holding(attempt);
  take_hosts(held.allocation, +1);
  if (held.allocation.slots.empty()) count_tenant(held.allocation.node, +1);
  for (const Slot& slot : held.allocation.slots) {
    count_tenant(shape_.node_of(slot.gpu), +1);
    change(slot.gpu, [&](GpuState& gpu) {
      gpu.tenants.push_back(
          {held.job, attempt, slot.lane, held.memory, held.allocation.share, held.kind});
    });
  }
}

void Cluster::set_node_up(NodeId node, bool up) {
  ensure(node && node.value() < shape_.nodes, "a node that does not exist changes its state");
  const std::int64_t first = shape_.first_gpu(node);
  for (std::int64_t gpu = first; gpu < first + shape_.gpus_on(node); ++gpu) {
    change(GpuId{gpu}, [&](GpuState& state) { state.up = up && !state.lost; });
  }
}

void Cluster::lose_gpu(GpuId gpu) {
  ensure(!gpus_.at(gpu.index()).lost, "a GPU is lost twice");
  change(gpu, [](GpuState& state) {
    state.up = false;
    state.lost = true;
  });
  ++lost_gpus_;
  ++lost_of_type_[static_cast<std::size_t>(shape_.type_of(gpu))];
}

const Holding& Cluster::holding(AttemptId attempt) const {
  const Holding* found = holdings_.find(attempt);
  ensure(found != nullptr, "an attempt that holds nothing is released or looked up");
  return *found;
}

void Cluster::set_memory(AttemptId attempt, Bytes memory) {
  Holding* found = holdings_.find(attempt);
  ensure(found != nullptr, "an attempt that holds nothing changes its memory");
  memory_in_use_ += static_cast<double>(found->allocation.slots.size()) * (memory - found->memory);
  found->memory = memory;
  for (const Slot& slot : found->allocation.slots) {
    change(slot.gpu, [&](GpuState& gpu) {
      for (Tenant& tenant : gpu.tenants) {
        if (tenant.attempt == attempt) tenant.memory = memory;
      }
    });
  }
}

void Cluster::withhold(GpuId gpu) {
  change(gpu, [&](GpuState&) { ++withheld_[gpu.index()]; });
}

void Cluster::offer(GpuId gpu) {
  ensure(withheld_.at(gpu.index()) > 0, "a GPU is offered that was not withheld");
  change(gpu, [&](GpuState&) { --withheld_[gpu.index()]; });
}

bool Cluster::usable(GpuId gpu) const {
  return gpus_[gpu.index()].up && withheld_[gpu.index()] == 0;
}

int Cluster::gpus_below(int tenants) const {
  int sum = 0;
  const int most = std::min(tenants, shape_.lanes_per_gpu);
  for (int k = 0; k < most; ++k) sum += by_tenants_[static_cast<std::size_t>(k)];
  return sum;
}

int Cluster::gpus_below(int tenants, int type) const {
  if (by_tenants_of_type_.empty()) return gpus_below(tenants);
  const auto first =
      by_tenants_of_type_.begin() + static_cast<std::ptrdiff_t>(by_tenants_.size()) * type;
  return std::accumulate(first, first + std::min(tenants, shape_.lanes_per_gpu), 0);
}

}  // namespace mimus::scheduler
