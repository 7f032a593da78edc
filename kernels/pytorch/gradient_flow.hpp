// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/autograd_tape.hpp"

namespace mimus::kernels {

/// How gradients get from a layer to those that it has read, and to its parameters.
class GradientFlow {
 public:
  /// `tape` must outlive it.
  explicit GradientFlow(AutogradTape& tape) : tape_(tape), log_(tape.log()) {}

  /// To the output of `layer`; `gradient` is taken, and dropped where it has no use.
  void deliver(std::size_t layer, AllocationLog::Tensor gradient);
  /// To the width of layer i's output, from `width` [bytes of an element].
  [[nodiscard]] AllocationLog::Tensor cast(AllocationLog::Tensor gradient, std::size_t i,
                                           std::int64_t width);
  /// Of a parameter of `bytes` in fp32.
  void keep(AllocationLog::Tensor gradient, std::int64_t bytes);

 private:
  using Tensor = AllocationLog::Tensor;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  AutogradTape& tape_;
  AllocationLog& log_;
};

}  // namespace mimus::kernels
