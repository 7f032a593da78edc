// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/whole_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

constexpr int kFree = -1;   ///< or the gang that holds it and has yet to be placed
constexpr int kTaken = -2;  ///< also of GPUs that are down

struct Node {
  int free = 0;  ///< GPUs that are not taken
  int held = 0;  ///< of these, by gangs that have yet to be placed
};

class NodesToFill {
 public:
  NodesToFill(std::span<const GangToPlace> gangs, const Cluster& cluster, const Placer& placer)
      : gangs_(gangs),
        shape_(cluster.shape()),
        holder_(static_cast<std::size_t>(shape_.gpus()), kTaken),
        nodes_(static_cast<std::size_t>(shape_.nodes)),
        keeps_(gangs.size(), false) {
    for (const GpuState& gpu : cluster.gpus()) {
      if (!placer.usable(gpu.id)) continue;
      holder_[gpu.id.index()] = kFree;
      ++nodes_[gpu.node.index()].free;
    }
    for (std::size_t i = 0; i < gangs.size(); ++i) {
      if (gangs[i].held == nullptr) continue;
      keeps_[i] = true;
      for (const Slot& slot : gangs[i].held->slots) hold(slot.gpu, static_cast<int>(i));
    }
  }

  [[nodiscard]] Allocation place(std::size_t i) {
    const GangToPlace& gang = gangs_[i];
    if (keeps_[i]) {
      for (const Slot& slot : gang.held->slots) take(slot.gpu);
      return *gang.held;
    }
    Allocation place;
    int left = gang.gpus;
    const int whole = shape_.most_per_node(gang.type);
    while (left > 0) {
      const auto node = node_for(gang.type, std::min(left, whole));
      ensure(node.has_value(), "gangs need more GPUs than there are");
      left -= fill(*node, left, place);
    }
    std::ranges::sort(place.slots, std::less<>{}, &Slot::gpu);
    return place;
  }

 private:
  void hold(GpuId gpu, int gang) {
    ensure(holder_[gpu.index()] == kFree, "a gang keeps a GPU that it cannot have");
    holder_[gpu.index()] = gang;
    ++nodes_[shape_.node_of(gpu).index()].held;
  }

  void take(GpuId gpu) {
    Node& node = nodes_[shape_.node_of(gpu).index()];
    const int holder = std::exchange(holder_[gpu.index()], kTaken);
    --node.free;
    if (holder == kFree) return;
    --node.held;
    const auto gang = static_cast<std::size_t>(holder);
    if (keeps_[gang]) give_up(holder);
    keeps_[gang] = false;
  }

  /// All that the gang holds.
  void give_up(int gang) {
    for (const Slot& slot : gangs_[static_cast<std::size_t>(gang)].held->slots) {
      if (holder_[slot.gpu.index()] != gang) continue;
      holder_[slot.gpu.index()] = kFree;
      --nodes_[shape_.node_of(slot.gpu).index()].held;
    }
  }

  /// With room for so many GPUs, or else with most room; nothing when all are full.
  [[nodiscard]] std::optional<std::size_t> node_for(int type, int gpus) const {
    std::optional<std::size_t> best;
    std::tuple<int, int, int> least;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      if (node.free == 0 || shape_.type_of(NodeId{static_cast<std::int64_t>(n)}) != type) continue;
      const int missing = std::max(0, gpus - node.free);
      const int displaced = std::max(0, gpus - (node.free - node.held));
      const std::tuple cost(missing, displaced, node.free);
      if (best && cost >= least) continue;
      best = n;
      least = cost;
    }
    return best;
  }

  /// Up to so many GPUs of the node, free ones first. Returns how many.
  int fill(std::size_t n, int most, Allocation& place) {
    const NodeId node{static_cast<std::int64_t>(n)};
    const std::int64_t first = shape_.first_gpu(node);
    const int wanted = std::min(most, nodes_[n].free);
    int taken = 0;
    for (const bool also_held : {false, true}) {
      for (int k = 0; k < shape_.gpus_on(node) && taken < wanted; ++k) {
        const GpuId gpu{first + k};
        const int holder = holder_[gpu.index()];
        if (holder == kTaken || (holder != kFree && !also_held)) continue;
        take(gpu);
        place.slots.push_back({gpu, {}});
        ++taken;
      }
    }
    return taken;
  }

  std::span<const GangToPlace> gangs_;
  const ClusterShape& shape_;
  std::vector<int> holder_;  ///< by GPU
  std::vector<Node> nodes_;
  std::vector<bool> keeps_;  ///< by gang: what it holds is still its own
};

}  // namespace

std::vector<Allocation> place_on_whole_nodes(std::span<const GangToPlace> gangs,
                                             const Cluster& cluster, const Placer& placer) {
  std::vector<std::size_t> order(gangs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less<>{}, [&](std::size_t i) {
    return std::tuple(!gangs[i].stays, -gangs[i].gpus, gangs[i].held == nullptr);
  });
  NodesToFill nodes(gangs, cluster, placer);
  std::vector<Allocation> places(gangs.size());
  for (const std::size_t i : order) places[i] = nodes.place(i);
  return places;
}

}  // namespace mimus::scheduler
