// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <unistd.h>

#include "emulator/cli/command_line.hpp"
#include "kernels/cuda/mps/mps_guardian.hpp"

int main(int argc, char** argv) {
  using mimus::kernels::cuda::kGuardianArgument;
  if (argc == 3 && std::string_view(argv[1]) == kGuardianArgument) {  // used by ranks; not a verb
    mimus::kernels::cuda::guard_mps(STDIN_FILENO, argv[2]);
    return 0;
  }
  return mimus::emulator::cli::run_command_line({argv, argv + argc});
}
