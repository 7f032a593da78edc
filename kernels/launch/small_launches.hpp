// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch.hpp"

namespace mimus::kernels {

/// A kernel on a single number of 8 bytes in `place`: a counter of batches or steps, the loss
/// scale. All cost is in its launch.
[[nodiscard]] inline Launch count_launch(const TensorRef& place) {
  return Elementwise{.function = Elementwise::Function::add,
                     .elements = 2,
                     .reads = 1,
                     .bytes = 4,
                     .in = {place},
                     .out = place,
                     .mask = {}};
}

}  // namespace mimus::kernels
