// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// Floating-point operations and bytes (each operand read or written counted once) of one launch.
[[nodiscard]] Flop flop(const Launch& launch);
[[nodiscard]] Bytes traffic(const Launch& launch);

}  // namespace mimus::kernels
