// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus::emulator::fuzz {

/// Reads one input as a campaign file: the YAML, its sweep and the first of its cells up to typed
/// values, without the files it names. Returns what is wrong with the outcome, or "" when all is
/// well: it was read, or refused with a ConfigError, and what was read can be written and read
/// again.
[[nodiscard]] std::string problem_with_campaign(std::string_view input);

}  // namespace mimus::emulator::fuzz
