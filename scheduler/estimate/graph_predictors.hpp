// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduler/estimate/solo_profile.hpp"
#include "scheduler/trees/regression_tree.hpp"

namespace mimus::scheduler {

/// The features of the trees. Of one step: FLOP, activations, input and FLOP per operator; of the
/// graph: parameters, operators and convolutions; the batch (Horus, Yeung et al., TPDS 33(1), 2022
/// §4.1).
[[nodiscard]] std::vector<double> graph_features(const ModelGraph& graph, double per_gpu_batch);
/// Their names, in the same order.
[[nodiscard]] std::span<const char* const> graph_feature_names();

enum class ProfiledValue { utilisation, memory };

/// Boosted regression trees on profiles of other models; Horus trains such trees on profiles of
/// 292. Memory is learned as its logarithm.
class GraphTrees {
 public:
  /// Trained without the profiles of the model `left_out`, which may have none. Some profiles must
  /// be left.
  GraphTrees(std::span<const SoloProfile> profiles, const std::string& left_out,
             ProfiledValue value);
  /// Utilisation from 0 to 1, or bytes.
  [[nodiscard]] double predict(const ModelGraph& graph, double per_gpu_batch) const;

 private:
  ProfiledValue value_;
  std::optional<BoostedTrees> trees_;
};

/// Horus' memory of a replica before it has run: context + w (P + G + k P + B (A + A_grad)) with w
/// = 4 bytes, gradients as large as parameters, and gradients of activations as large as these.
/// Equation 2 is not readable in the available copies; this follows its description, with the
/// optimiser's k numbers for every parameter.
[[nodiscard]] ReplicaMemory memory_by_formula(const ModelGraph& graph, Bytes context);

}  // namespace mimus::scheduler
