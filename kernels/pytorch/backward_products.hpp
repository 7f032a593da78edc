// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/gradient_flow.hpp"
#include "kernels/pytorch/library_calls.hpp"

namespace mimus::kernels {

/// The backward pass of layers that multiply, and of embeddings. Gradients of a layer's output are
/// taken.
class BackwardProducts {
 public:
  /// All references must outlive it.
  BackwardProducts(AutogradTape& tape, LibraryCalls& calls, GradientFlow& flow)
      : tape_(tape), log_(tape.log()), calls_(calls), flow_(flow) {}

  void linear(std::size_t i, AllocationLog::Tensor gradient);
  void convolution(std::size_t i, AllocationLog::Tensor gradient);
  void context(std::size_t i, AllocationLog::Tensor gradient);
  void scores(std::size_t i, AllocationLog::Tensor gradient);
  void fused(std::size_t i, const AttentionRun& run, AllocationLog::Tensor gradient);
  void gru(std::size_t i, AllocationLog::Tensor gradient);
  void embedding(std::size_t i, AllocationLog::Tensor gradient);

 private:
  using Tensor = AllocationLog::Tensor;
  using Layers = LayerGraph::Layers;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  void hand_to_projections(std::size_t i, Tensor query, Tensor key, Tensor value);
  void add_sorted(std::int64_t rows, std::int64_t features, std::int64_t entries);

  AutogradTape& tape_;
  AllocationLog& log_;
  LibraryCalls& calls_;
  GradientFlow& flow_;
  Tensor value_gradient_ = kNone;  ///< until that of the scores of its attention is there
};

}  // namespace mimus::kernels
