// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace mimus::scheduler {

/// Weights of the edges between all pairs of vertices, from 0 on; 0: no edge.
class EdgeWeights {
 public:
  explicit EdgeWeights(std::size_t vertices) : vertices_(vertices), weights_(vertices * vertices) {}

  [[nodiscard]] std::size_t vertices() const { return vertices_; }
  [[nodiscard]] std::int64_t at(std::size_t a, std::size_t b) const {
    return weights_[a * vertices_ + b];
  }
  /// Weight of the edge in both directions; 0 to 2^60 ÷ vertices.
  void set(std::size_t a, std::size_t b, std::int64_t weight) {
    weights_[a * vertices_ + b] = weights_[b * vertices_ + a] = weight;
  }

 private:
  std::size_t vertices_;
  std::vector<std::int64_t> weights_;
};

/// A set of edges without common vertices that has the largest possible sum of weights. Returns the
/// partner of every vertex, if any. Which of several such sets is returned depends only on the
/// weights. By Edmonds' blossoms (J. Res. NBS 69B, 1965) with dual variables and integer weights,
/// so that the sum is exact; time grows with the cube of the number of vertices.
[[nodiscard]] std::vector<std::optional<std::size_t>> maximum_weight_matching(
    const EdgeWeights& weights);

}  // namespace mimus::scheduler
