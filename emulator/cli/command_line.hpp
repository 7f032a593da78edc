// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator::cli {

/// Runs `mimus` with its full argv. Prints results to stdout, the log and errors ("mimus: error:
/// …") to stderr. Returns the exit code and throws nothing.
[[nodiscard]] int run_command_line(const std::vector<std::string>& argv);

}  // namespace mimus::emulator::cli
