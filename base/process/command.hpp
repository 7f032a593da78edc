// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace mimus {

/// Variables by name.
using Environment = std::map<std::string, std::string>;

struct CommandResult {
  bool was_found = true;  ///< false when no such program is in PATH; the exit code is 127 then
  bool in_time = true;    ///< false when it was killed at the timeout
  int exit_code = -1;     ///< 128 + signal when a signal ended it
  std::string output;     ///< of stdout
  std::string errors;     ///< of stderr
};

/// Runs `command` without a shell, with `additions` to this process's environment and `input` on
/// its stdin, and waits until it exits. The program is looked up in PATH. Processes that it leaves
/// behind are not waited for, even if they keep its output open. Throws EnvironmentError when no
/// process can be started.
///
/// Boost.Process is not used: in Debian's version a wait with a time limit replaces the SIGCHLD
/// handler of the whole process.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& command, Duration timeout,
                                        const Environment& additions = {},
                                        const std::string& input = "");

/// True when `program` is found in PATH.
[[nodiscard]] bool has_program(const std::string& program);

}  // namespace mimus
