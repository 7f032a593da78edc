// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/library_calls.hpp"
#include "kernels/pytorch/module_variables.hpp"

namespace mimus::kernels {

/// The forward pass of layers that multiply: convolutions, products, attention, recurrent layers.
class ForwardProducts {
 public:
  /// All references must outlive it.
  ForwardProducts(AutogradTape& tape, LibraryCalls& calls, ModuleVariables& variables)
      : tape_(tape), log_(tape.log()), calls_(calls), variables_(variables) {}

  void dense(std::size_t i);
  void scores(std::size_t i);
  void context(std::size_t i);
  void fused(std::size_t i, const AttentionRun& run);
  void gru(std::size_t i);

 private:
  using Tensor = AllocationLog::Tensor;
  using Layers = LayerGraph::Layers;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  AutogradTape& tape_;
  AllocationLog& log_;
  LibraryCalls& calls_;
  ModuleVariables& variables_;
};

}  // namespace mimus::kernels
