// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layers/layer_graph.hpp"
#include "kernels/layers/layer_sizes.hpp"

namespace mimus::kernels {

/// Which layers' outputs are the operands of a layer's kernels, and how much of them they read.
class LayerOperands {
 public:
  LayerOperands(const workloads::Model& model, const LayerGraph& graph,
                const std::vector<LayerWidths>& widths, const std::vector<LayerSizes>& sizes);

  /// The layer whose output is the first operand of layer `i`. Of two it is the narrower one, which
  /// is widened.
  [[nodiscard]] std::size_t first(std::size_t i) const { return first_[i]; }
  /// The second operand of layers that compute with several tensors. A concatenation reads all its
  /// parts as one tensor, which has the place of the first part.
  [[nodiscard]] std::optional<std::size_t> second(std::size_t i) const { return second_[i]; }
  /// Bytes of an operand other than the first.
  [[nodiscard]] std::int64_t second_bytes(std::size_t i) const;

  /// Bytes reserved for the output of a layer, or LayerGraph::kModelInput: the larger of what it
  /// writes and what a reader takes. A convolution whose stride does not divide its input takes
  /// more.
  [[nodiscard]] std::int64_t room(std::size_t layer) const;

 private:
  const LayerGraph& graph_;
  const std::vector<LayerSizes>& sizes_;
  std::vector<std::size_t> first_;
  std::vector<std::optional<std::size_t>> second_;
};

}  // namespace mimus::kernels
