// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/layers/layer_stage.hpp"

namespace mimus::kernels {

/// The launch of one convolution pass.
[[nodiscard]] Convolution convolution_pass(const LayerStage& stage, Convolution::Pass pass);
/// A product in the stage's arithmetic.
[[nodiscard]] Product product(const LayerStage& stage, std::int64_t rows, std::int64_t columns,
                              std::int64_t inner);
/// One step of a recurrent layer. Steps are taken from the last to the first, so that the products
/// of the state may overwrite slices of the products of the input that are no longer needed.
struct GruStep {
  TensorRef gates;
  TensorRef state_products;  ///< the next slice
  TensorRef state;
  TensorRef reserve;
};
[[nodiscard]] GruStep gru_step(const LayerStage& stage, std::int64_t direction, std::int64_t step);

/// Scores are rows × rows: their right operand, the keys, is stored row by row.
[[nodiscard]] inline bool is_scores(const workloads::GemmShape& shape) {
  return shape.rows == shape.columns;
}

}  // namespace mimus::kernels
