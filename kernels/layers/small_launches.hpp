// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// A kernel on a single number of 8 bytes in `place`: a counter of batches or steps, the loss
/// scale. Its only cost is the launch.
[[nodiscard]] inline Launch count_launch(const TensorRef& place) {
  return Elementwise{.function = Elementwise::Function::add,
                     .elements = 2,
                     .reads = 1,
                     .bytes = 4,
                     .in = {place},
                     .out = place,
                     .mask = {}};
}

/// A kernel that casts elements of one width to another.
[[nodiscard]] inline Launch cast(const TensorRef& from, std::int64_t from_bytes,
                                 const TensorRef& to, std::int64_t to_bytes,
                                 std::int64_t elements) {
  return Elementwise{.function = Elementwise::Function::copy,
                     .elements = elements,
                     .bytes = to_bytes,
                     .first_bytes = from_bytes,
                     .in = {from},
                     .out = to,
                     .mask = {}};
}

}  // namespace mimus::kernels
