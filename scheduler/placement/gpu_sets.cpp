// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/gpu_sets.hpp"

#include <algorithm>
#include <bit>

namespace mimus::scheduler {
namespace {

/// Number of GPUs in all sets that are kept, which takes about 20 MB.
constexpr std::size_t kMostMembers = std::size_t{1} << 24U;

}  // namespace

bool GpuFilter::passes(const Cluster& cluster, const Sharing& sharing, const GpuState& gpu) const {
  if (!cluster.usable(gpu.id)) return false;
  if (type != kAnyType && cluster.shape().type_of(gpu.node) != type) return false;
  if (gpu.idle()) return tier == Tier::idle || tier == Tier::any;
  if (tier == Tier::idle) return false;
  if (tier == Tier::tightest && gpu.free_share() != need.share) return false;
  const ClusterShape& shape = cluster.shape();
  const bool lane_free = static_cast<int>(gpu.tenants.size()) < shape.lanes_per_gpu;
  return lane_free && sharing.admits(gpu, need, shape.memory_of(gpu.id));
}

std::size_t GpuFilterHash::operator()(const GpuFilter& filter) const noexcept {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  std::uint64_t hash = std::bit_cast<std::uint64_t>(filter.need.memory.value);
  const auto tier = static_cast<std::int64_t>(filter.tier);
  for (const std::int64_t part : {tier, filter.need.share.value}) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * kGolden;
    hash ^= hash >> 32U;
  }
  if (filter.need.kind != nullptr) {
    hash = (hash ^ static_cast<std::uint64_t>(filter.need.kind->number + 1)) * kGolden;
  }
  if (filter.type != kAnyType) {
    hash = (hash ^ static_cast<std::uint64_t>(filter.type + 1)) * kGolden;
  }
  return static_cast<std::size_t>(hash);
}

GpuSets::GpuSets(const Cluster& cluster, const Sharing& sharing)
    : cluster_(cluster),
      sharing_(sharing),
      most_(std::clamp<std::size_t>(kMostMembers / static_cast<std::size_t>(shape().gpus()), 16,
                                    1024)) {}

GpuSets::Set& GpuSets::set(const GpuFilter& filter) {
  ++uses_;
  auto found = sets_.find(filter);
  if (found == sets_.end()) {
    if (sets_.size() >= most_) {
      std::erase_if(sets_, [&](const auto& set) { return set.second.used + most_ / 2 < uses_; });
    }
    found = sets_.emplace(filter, fresh()).first;
    fill(filter, found->second);
  } else {
    catch_up(filter, found->second);
  }
  found->second.used = uses_;
  return found->second;
}

void GpuSets::look_at(GpuId gpu, const GpuFilter& filter, Set& set) const {
  const bool is_member = filter.passes(cluster_, sharing_, cluster_.gpu(gpu));
  if (set.members.contains(gpu) == is_member) return;
  set.members.set(gpu, is_member);
  set.by_node.add(shape().node_of(gpu), is_member ? +1 : -1);
}

void GpuSets::fill(const GpuFilter& filter, Set& set) const {
  for (const GpuState& gpu : cluster_.gpus()) look_at(gpu.id, filter, set);
  set.seen = cluster_.shared().changes();
}

void GpuSets::catch_up(const GpuFilter& filter, Set& set) const {
  const SharedGpus& shared = cluster_.shared();
  if (!shared.remembers(set.seen)) return fill(filter, set);
  for (; set.seen < shared.changes(); ++set.seen) look_at(shared.change(set.seen), filter, set);
}

}  // namespace mimus::scheduler
