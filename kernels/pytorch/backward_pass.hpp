// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/backward_products.hpp"

namespace mimus::kernels {

/// The backward pass of a model from its loss, as autograd's queue has it.
class BackwardPass {
 public:
  /// Both must outlive it.
  BackwardPass(AutogradTape& tape, LibraryCalls& calls)
      : tape_(tape), log_(tape.log()), flow_(tape), products_(tape, calls, flow_) {}
  BackwardPass(const BackwardPass&) = delete;
  BackwardPass& operator=(const BackwardPass&) = delete;

  void run();

 private:
  using Tensor = AllocationLog::Tensor;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  void layer(std::size_t i, Tensor gradient);
  /// The usual: a gradient of the input's size.
  void map(std::size_t i, Tensor gradient, std::int64_t scratch = 0);
  void normalisation(std::size_t i, Tensor gradient);
  void hand_on(std::size_t i, Tensor gradient);
  void elementwise(std::size_t i, Tensor gradient);
  void loss(std::size_t i);

  AutogradTape& tape_;
  AllocationLog& log_;
  GradientFlow flow_;
  BackwardProducts products_;
};

}  // namespace mimus::kernels
