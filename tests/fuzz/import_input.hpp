// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus::workloads::fuzz {

/// Imports one input and returns what is wrong with the outcome, or "" when all is well: the input
/// was read, or refused with a ConfigError.
///
/// The first byte chooses the format and the options: 'A' is `csv` and so on in the order of
/// kFormats, 'A' + 13 starts over with other remedies for every oddity, 'A' + 26 with footprints
/// and noisy estimates. The rest is the file; a byte 0x1E begins the next file of a format that
/// has several.
[[nodiscard]] std::string problem_with(std::string_view input);

inline constexpr const char* kFormats[] = {
    "csv",   "philly",   "philly-json", "pai",   "pai-tables", "helios", "acme",
    "openb", "tiresias", "muri",        "gavel", "shockwave",  "pollux"};

}  // namespace mimus::workloads::fuzz
