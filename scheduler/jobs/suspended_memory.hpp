// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::scheduler {

/// What a suspended attempt keeps on its GPUs. Once it is resumed it takes back what it has given.
enum class SuspendedMemory {
  all,
  /// Weights, gradients and the optimiser's state: what does not grow with the batch. Activations
  /// are given back, which takes no time.
  state,
  /// The state as well is in the host's memory. It crosses the host link at the suspension and at
  /// the resumption.
  nothing,
};
/// "all", "state", "nothing"
[[nodiscard]] const char* name(SuspendedMemory keeps);

}  // namespace mimus::scheduler
