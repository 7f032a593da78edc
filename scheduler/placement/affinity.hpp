// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/scored_nodes.hpp"

namespace mimus::scheduler {

/// Nodes keep jobs of one gang size together (Gandiva, Xiao et al., OSDI'18, its placement in
/// reactive mode), or of one model: a node with the job's affinity goes first, then one without
/// any, then one with another, each time the one with the lowest load. A node's affinity is the
/// kind that holds most of its places, ties to the kind that came first; a node without tenants has
/// none. Where no node takes the gang it waits: Gandiva would time-slice.
class Affinity final : public ScoredNodes {
 public:
  enum class By { gang, model };
  struct Settings {
    By by = By::gang;
  };
  explicit Affinity(Settings settings)
      : by_{.gang = settings.by == By::gang, .model = settings.by == By::model} {}
  [[nodiscard]] KindTraits kind_traits() const override { return by_; }

 private:
  [[nodiscard]] int score(const JobKind& kind, const FreeGpus& free, NodeId node) const override;

  KindTraits by_;
};

}  // namespace mimus::scheduler
