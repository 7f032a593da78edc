// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// The kernel launches of one micro-batch.
struct MicroBatchLaunches {
  std::vector<Launch> forward;
  std::vector<Launch> backward;
  /// Launches of the pass up to the end of each layer, in the order of the model.
  std::vector<std::size_t> forward_ends, backward_ends;
};

}  // namespace mimus::kernels
