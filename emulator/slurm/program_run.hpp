// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace mimus::emulator {

/// What a program has said.
struct ProgramOutput {
  int exit_code = 0;   ///< 128 + n after signal n
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// True when `program` is found in PATH.
[[nodiscard]] bool has_program(const std::string& program);

/// Runs a program without a shell and waits for its end. Throws TimeoutError (the program is then
/// killed) and EnvironmentError when it cannot be started.
[[nodiscard]] ProgramOutput run_program(const std::vector<std::string>& command, Duration timeout);

}  // namespace mimus::emulator
