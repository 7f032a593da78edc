// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/autograd_tape.hpp"
#include "kernels/pytorch/module_variables.hpp"

namespace mimus::kernels {

/// The forward pass of layers that multiply nothing: normalisation, activations, pooling, the loss,
/// layers that read several tensors, and those that are written in a model's own functions.
class ForwardMaps {
 public:
  /// Both must outlive it.
  ForwardMaps(AutogradTape& tape, ModuleVariables& variables)
      : tape_(tape), log_(tape.log()), variables_(variables) {}

  void normalisation(std::size_t i);
  void map(std::size_t i);
  void pooling(std::size_t i);
  void addition(std::size_t i);
  void elementwise(std::size_t i);
  void joined(std::size_t i, const LayerGraph::Layers& layers);
  void loss(std::size_t i);

 private:
  using Tensor = AllocationLog::Tensor;
  using Layers = LayerGraph::Layers;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  void masked(std::size_t i);
  void kernels(std::size_t i, std::int64_t elements);

  AutogradTape& tape_;
  AllocationLog& log_;
  ModuleVariables& variables_;
};

}  // namespace mimus::kernels
