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
  /// How often it crosses memory: a norm over the batch reads its input twice, a lookup the named
  /// rows.
  double crossings = 1.0;
};

/// All operands of a launch except per-column scales and shifts. An operand that is read and
/// written has two crossings.
[[nodiscard]] std::vector<Operand> operands(const Launch& launch);

}  // namespace mimus::kernels
