// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pytorch/forward_maps.hpp"
#include "kernels/pytorch/forward_products.hpp"

namespace mimus::kernels {

/// The forward pass of a model, layer by layer up to its loss.
class ForwardPass {
 public:
  /// Both must outlive it.
  ForwardPass(AutogradTape& tape, LibraryCalls& calls)
      : tape_(tape),
        log_(tape.log()),
        variables_(log_),
        products_(tape, calls, variables_),
        maps_(tape, variables_) {}
  ForwardPass(const ForwardPass&) = delete;
  ForwardPass& operator=(const ForwardPass&) = delete;

  void run();

 private:
  static constexpr std::size_t kInput = AutogradTape::kInput;

  void layer(std::size_t i);

  AutogradTape& tape_;
  AllocationLog& log_;
  ModuleVariables variables_;
  ForwardProducts products_;
  ForwardMaps maps_;
};

}  // namespace mimus::kernels
