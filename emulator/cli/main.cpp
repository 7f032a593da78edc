// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/command_line.hpp"

int main(int argc, char** argv) {
  return mimus::emulator::cli::run_command_line({argv, argv + argc});
}
