// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {

/// What came of one mpirun.
struct LaunchEnd {
  int code = 0;
  std::string died;       ///< who did, and how, where no rank has said it; else empty
  bool unformed = false;  ///< it was a worker, and others would have waited for it for ever
  bool unborn = false;    ///< no rank has started
  std::string held;       ///< what was written to stderr and has not been passed on
};

/// How an mpirun ended, as waitpid() has it.
[[nodiscard]] int exit_code_of(int wait_status);

/// Who has died without a word in a world that `wait_status` ended; "" where none has, or where one
/// has said why it left.
[[nodiscard]] std::string who_died(const LaunchNote& note, int wait_status);

/// An exit code of a signal, or one with which only ranks end, or who could not start mpirun.
[[nodiscard]] bool explains_itself(int code);

/// The last words on a launch: first what has happened and what to do, then what MPI has said.
/// Returns the exit code.
[[nodiscard]] int say_end(const LaunchEnd& end, int ranks);

/// That a launch is repeated, and why.
void say_restart(const LaunchEnd& end);

}  // namespace mimus::emulator
