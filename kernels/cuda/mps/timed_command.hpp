// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace mimus::kernels::cuda {

using Environment = std::map<std::string, std::string>;

struct CommandResult {
  bool was_found = true;  ///< false when no such program is in PATH
  bool in_time = true;    ///< false when it was killed at the timeout
  int exit_code = -1;     ///< 128 + signal when a signal ended it
  std::string output;     ///< of stdout and stderr, as they came
};

/// Runs `command`, looked for in PATH, with `additions` to this process's environment and `input`
/// on its stdin, and waits until it exits. Processes that it leaves behind are not waited for, even
/// where they keep its output open. EnvironmentError when no process can be started.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& command,
                                        const Environment& additions, const std::string& input,
                                        Duration timeout);

}  // namespace mimus::kernels::cuda
