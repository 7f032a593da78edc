// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/nodes/node_score.hpp"

namespace mimus::scheduler {

/// Cores and GPUs of the nodes that have most of them, which resources are measured in.
struct LargestNode {
  double milli_cores = 1.0;
  double milli_gpus = 1.0;

  explicit LargestNode(const ClusterShape& shape);
};

/// The least left: int(100·(1 − ½·cores left after it − ½·GPUs left after it)), each in that of the
/// largest node. Baseline of FGD (Weng et al., ATC'23).
class BestFitNode final : public NodeScore {
 public:
  explicit BestFitNode(const ClusterShape& shape) : largest_(shape) {}
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;

 private:
  LargestNode largest_;
};

/// The request best aligned with what is left goes last: int(100·(1 − ½·(cores left · cores asked +
/// GPUs left · GPUs asked))), each in that of the largest node. Baseline of FGD, which takes it
/// from Tetris (Grandl et al., SIGCOMM'14).
class DotProduct final : public NodeScore {
 public:
  explicit DotProduct(const ClusterShape& shape) : largest_(shape) {}
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;

 private:
  LargestNode largest_;
};

}  // namespace mimus::scheduler
