// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "scheduler/jobs/placement_request.hpp"
#include "scheduler/placement/nodes/node_view.hpp"

namespace mimus::scheduler {

/// GPUs of one node: bit k stands for its k-th. A node has at most 64.
using GpuMask = std::uint64_t;

inline constexpr int kNoOffer = -1;

/// What a node offers for a request.
struct NodeOffer {
  int score = 0;     ///< the highest wins; kNoOffer: the request does not fit
  GpuMask gpus = 0;  ///< GPUs that the gang would get
};

/// The query: how well does this node suit the request?
struct NodeQuestion {
  const NodeView& node;
  const PlacementRequest& request;
  GpuMask candidates;  ///< GPUs that take a replica, at least as many as the gang has
};

/// Scores nodes that take a request, in whole numbers as Kubernetes' schedulers do: what differs by
/// less is a tie.
class NodeScore {
 public:
  virtual ~NodeScore() = default;
  [[nodiscard]] virtual NodeOffer offer(const NodeQuestion& question) const = 0;
  /// The node has changed; called before it is next asked about.
  virtual void look_at(NodeView& /*node*/) const {}
  /// True if nodes, and GPUs of a node, are drawn at random from those that fit, without regard to
  /// scores.
  [[nodiscard]] virtual bool draws() const { return false; }
  /// True if the first of several best nodes wins, otherwise one by an order that is drawn once.
  [[nodiscard]] virtual bool ties_by_number() const { return false; }
};

/// The default selection of GPUs: whole ones in their order, for a part the one with the least left
/// that takes it.
[[nodiscard]] GpuMask best_fitting(const NodeQuestion& question);
/// The first `count` of these GPUs.
[[nodiscard]] GpuMask first_of(GpuMask gpus, int count);
/// Calls `act` with the number on its node of each GPU, ascending.
template <class Act>
void each_gpu(GpuMask gpus, Act&& act) {
  for (; gpus != 0; gpus &= gpus - 1) act(static_cast<std::size_t>(std::countr_zero(gpus)));
}

/// Thousandths of GPUs that the gang requests.
[[nodiscard]] inline std::int64_t milli_asked(const PlacementRequest& request) {
  return (request.gang * request.share).value;
}

}  // namespace mimus::scheduler
