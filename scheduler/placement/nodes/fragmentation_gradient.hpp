// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/nodes/fragmentation.hpp"
#include "scheduler/placement/nodes/node_score.hpp"

namespace mimus::scheduler {

/// Fragmentation gradient descent (FGD; Weng et al., ATC'23, §4): a gang goes where it makes
/// fragmentation grow least or fall most. The score is int(100·sigmoid((before − after) ÷ 1000
/// milli)), as in the authors' simulator; for a part of a GPU each GPU that takes it is tried, the
/// first of the best wins.
class FragmentationGradient final : public NodeScore {
 public:
  explicit FragmentationGradient(Fragmentation fragmentation)
      : fragmentation_(std::move(fragmentation)) {}

  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;
  void look_at(NodeView& node) const override;

 private:
  [[nodiscard]] int score_on(const NodeQuestion& question, GpuMask gpus) const;

  Fragmentation fragmentation_;
};

}  // namespace mimus::scheduler
