// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// What a job logs of its training at the end of a window of steps. -1: nothing, as its work is
/// recorded run time.
struct TrainingState {
  double loss = -1.0;           ///< with the noise of the samples of the window
  double learning_rate = -1.0;  ///< over the one that the user set for M₀
};

}  // namespace mimus::emulator
