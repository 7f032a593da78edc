// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// A run of bytes that a launch reads or writes.
struct Operand {
  TensorRef place;
  std::int64_t bytes = 0;
  /// How often it crosses the memory: a norm over the batch reads its input twice, a lookup the
  /// rows that are named.
  double crossings = 1.0;
};

/// Everything a launch touches but per-column scales and shifts; an operand read and written is
/// there with two crossings.
[[nodiscard]] std::vector<Operand> operands(const Launch& launch);

}  // namespace mimus::kernels
