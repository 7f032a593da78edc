// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus::workloads::fuzz {

/// Sets of options that an input can ask for: the defaults; the other remedy for every oddity that
/// the format has; footprints and noisy estimates.
inline constexpr int kVariants = 3;

/// Imports one input with the source of this name and returns what is wrong with the outcome, or ""
/// when all is well: the input was read, or refused with a ConfigError.
///
/// The first byte chooses the variant: 'A', 'B' or 'C', and so on around. The rest is the file; a
/// byte 0x1E begins the next file of a format that has several.
[[nodiscard]] std::string problem_with_trace(std::string_view format, std::string_view input);

}  // namespace mimus::workloads::fuzz
