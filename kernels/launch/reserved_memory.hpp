// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch/memory_packing.hpp"

namespace mimus::kernels {

/// Everything for which a training step takes memory in PyTorch. [bytes]
struct StepAllocations {
  std::vector<std::int64_t> parameters;
  std::vector<std::int64_t> updated;  ///< parameters, or those of one rank's part of the optimiser
  int moments = 1;                    ///< that the optimiser keeps of each of them
  bool temporary = false;             ///< whether its update makes one more
  std::vector<std::int64_t> inputs;
  std::vector<Lifetime> tensors;  ///< of forward and backward pass
  std::vector<Lifetime> gradients;
};

/// The most that PyTorch's caching allocator reserves for steps as they go on: the sizes that a
/// step asks for are no fit for what others have left, so it is more than what is allocated at any
/// one time. As a reference is measured: parameters, a first step, at whose end the optimiser makes
/// its moments, two more; then the cache is emptied, and three steps are taken.
[[nodiscard]] std::int64_t reserved_memory(const StepAllocations& step);

}  // namespace mimus::kernels
