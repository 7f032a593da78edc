// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {

/// The result of one mpirun.
struct LaunchEnd {
  int code = 0;
  std::string died;       ///< which rank died and how, if no rank reported it; else empty
  bool unformed = false;  ///< it was a worker, and others would have waited for it for ever
  bool unborn = false;    ///< no rank has started
  std::string held;       ///< what was written to stderr and has not been passed on
};

/// How an mpirun ended, as returned by waitpid().
[[nodiscard]] int exit_code_of(int wait_status);

/// The rank that died without a message in a world that ended with `wait_status`; "" if none has,
/// or if one has reported why it left.
[[nodiscard]] std::string who_died(const LaunchNote& note, int wait_status);

/// An exit code of a signal, or one that only ranks, or a failure to start mpirun, give.
[[nodiscard]] bool explains_itself(int code);

/// The last message on a launch: first what has happened and what to do, then what MPI printed.
/// Returns the exit code.
[[nodiscard]] int say_end(const LaunchEnd& end, int ranks);

/// Message that a launch is repeated, and why.
void say_restart(const LaunchEnd& end);

}  // namespace mimus::emulator
