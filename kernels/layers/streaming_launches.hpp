// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/layers/layer_stage.hpp"

namespace mimus::kernels {

/// A kernel that maps one tensor to another of the stage's elements.
[[nodiscard]] Elementwise map(const LayerStage& stage, Elementwise::Function function,
                              const TensorRef& in, const TensorRef& out);
/// Kernels that cross the layer's tensor `crossings` times in all, from `in` (and `second`) to
/// `out`.
void append_crossings(std::vector<Launch>& launches, const LayerStage& stage, double crossings,
                      int kernels, const TensorRef& in, const TensorRef& out);
[[nodiscard]] Reduction reduction(const LayerStage& stage, Reduction::Function function,
                                  std::int64_t rows, std::int64_t columns);
[[nodiscard]] Pooling pooling(const LayerStage& stage, Pooling::Function function,
                              const TensorRef& in, const TensorRef& out);

}  // namespace mimus::kernels
