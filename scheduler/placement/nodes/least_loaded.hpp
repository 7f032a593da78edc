// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/nodes/node_score.hpp"

namespace mimus::scheduler {

/// Balances load: takes the node with the least allocated, as the mean over its cores, memory and
/// GPUs of allocated ÷ total (Alibaba PAI; Weng et al., NSDI'22, §6, where the weights are not
/// published: all are equal here). Resources that a node does not state do not count. The score is
/// what is left, in ten-thousandths; ties go to the first node.
///
/// Whole GPUs are taken on as few islands as possible; PlacementRequest::level says whether it must
/// be one. Of shared GPUs it takes the one with the most left, or with the least.
class LeastLoaded final : public NodeScore {
 public:
  enum class Parts { emptiest, tightest };
  enum Level : int { kAnyIslands = 0, kOneIsland = 1 };

  explicit LeastLoaded(const ClusterShape& shape, Parts parts = Parts::emptiest)
      : shape_(shape), parts_(parts) {}
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;
  [[nodiscard]] bool ties_by_number() const override { return true; }

 private:
  [[nodiscard]] int left_of(const NodeView& node) const;

  ClusterShape shape_;
  Parts parts_;
};

}  // namespace mimus::scheduler
