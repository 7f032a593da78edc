// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_command.hpp"

#include "base/error.hpp"

namespace mimus::emulator {

CommandResult run_slurm(const std::vector<std::string>& command, Duration timeout) {
  CommandResult result = run_command(command, timeout);
  if (!result.in_time) {
    throw TimeoutError(command.front(), timeout, "it was ended; is the batch system reachable?");
  }
  return result;
}

}  // namespace mimus::emulator
