// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mimus::emulator::cli {

/// A horizontal bar of `share` (0 to 1) of `width` characters, in eighths of a character; at least
/// one eighth if the share is not zero.
[[nodiscard]] std::string bar(double share, int width);

/// One character per value, its height in eighths of the largest; a blank for zero.
[[nodiscard]] std::string sparkline(std::span<const std::int64_t> values);

}  // namespace mimus::emulator::cli
