// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/rank_meeting.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {
namespace {

/// Runs in the child. Errors that MPI prints if it cannot start are hidden, because the caller can
/// do without an answer.
[[noreturn]] void meet(int own, int answers) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  try {
    const MpiWorld world;
    const int highest = world.highest(own);
    if (::write(answers, &highest, sizeof highest) != sizeof highest) ::_exit(1);
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

/// The child's result, or `own`. A signal to stop does not concern this rank, whose work is done.
/// The other ranks handle it, and then the launcher ends this one.
int answer_of(int answers, int own) {
  int highest = own;
  ssize_t bytes = 0;
  do {
    bytes = ::read(answers, &highest, sizeof highest);
  } while (bytes < 0 && errno == EINTR);
  return bytes == sizeof highest ? std::max(own, highest) : own;
}

}  // namespace

int highest_exit_code(int own) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return own;
  (void)std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    meet(own, ends[1]);
  }
  ::close(ends[1]);
  const int highest = child < 0 ? own : answer_of(ends[0], own);
  ::close(ends[0]);
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  return highest;
}

}  // namespace mimus::emulator
