// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/nodes/node_score.hpp"

namespace mimus::scheduler {

/// Fills GPUs that are shared, then nodes that are in use, then idle nodes (baseline of FGD, Weng
/// et al., ATC'23, after MLaaS's packing, NSDI'22). A gang without GPUs scores 0; a node whose GPUs
/// are all idle max(33 − n, n) of its n GPUs; else, with GPUs taken from the one with the least
/// left up: max(50 − m, 33) if it takes m idle ones, or max(100 − left ÷ 100, 50) by what shared
/// ones have left [milli]. Divisions are of whole numbers, as in the authors' simulator.
class GpuPacking final : public NodeScore {
 public:
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;
};

/// Keeps jobs that ask for parts of a GPU together, and those that ask for as many (baseline of
/// FGD, after Gandiva's affinity, OSDI'18): 25·(1 − GPUs left ÷ those of the largest node) + 75
/// where only such jobs are, 50 where they are among others, 25 on a node without any job on its
/// GPUs, 0 where only others are. A gang without GPUs scores 0. Asks for kinds by gang.
class GpuClustering final : public NodeScore {
 public:
  explicit GpuClustering(const ClusterShape& shape)
      : most_gpus_(1000 * static_cast<std::int64_t>(shape.gpus_per_node)) {}
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override;

 private:
  std::int64_t most_gpus_;  ///< of a node [milli]
};

/// A node drawn from those that fit, and there a GPU drawn from those that take the part asked for.
class AnyNode final : public NodeScore {
 public:
  [[nodiscard]] NodeOffer offer(const NodeQuestion& question) const override {
    return {0, first_of(question.candidates, question.request.gang)};
  }
  [[nodiscard]] bool draws() const override { return true; }
};

}  // namespace mimus::scheduler
