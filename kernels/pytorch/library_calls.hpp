// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kernels/pytorch/autograd_tape.hpp"

namespace mimus::kernels {

/// When a step calls cuBLAS and cuDNN, which may take work space then: notes in the tape's log
/// which launches of the plan these calls are.
class LibraryCalls {
 public:
  /// Both must outlive it.
  LibraryCalls(AutogradTape& tape, const MicroBatchLaunches& launches)
      : tape_(tape), launches_(launches) {}

  /// cuDNN works on layer `i` until end().
  void begin(std::size_t i, Pass pass, Convolution::Pass convolution);
  void end() { tape_.log().note(AllocationEvent::Kind::rest, 0); }
  /// cuBLAS multiplies: its work space is taken the first time in each pass.
  void multiply(Pass pass);

 private:
  AutogradTape& tape_;
  const MicroBatchLaunches& launches_;
  std::array<bool, 2> multiplied_{};  ///< whether a pass has
};

}  // namespace mimus::kernels
