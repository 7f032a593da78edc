// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/process/command.hpp"

namespace mimus::emulator {

/// Runs a command of Slurm and waits for its end. Throws TimeoutError when the command had to be
/// killed.
[[nodiscard]] CommandResult run_slurm(const std::vector<std::string>& command, Duration timeout);

}  // namespace mimus::emulator
