// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.hpp"

namespace mimus::kernels::cuda {

/// Reads the samples of the next step from storage while a step runs, so that a step lasts as long
/// as the slower of computing and reading. Those of the first step are at hand.
class InputReader {
 public:
  /// The next step has its samples from this instant on.
  [[nodiscard]] WallInstant ready() const { return ready_; }
  /// A step takes them and begins at `at`; to read those of the step after it takes `reading`.
  void take(WallInstant at, Duration reading) { ready_ = at + reading; }

 private:
  WallInstant ready_{};
};

}  // namespace mimus::kernels::cuda
