// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/survival.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/mpi/process_state.hpp"

namespace mimus::emulator {
namespace {

/// The nearest ancestor of this process that is a launcher or its daemon on this host. There may be
/// a script between the two.
std::optional<pid_t> launcher() {
  constexpr std::array<std::string_view, 4> kNames{"mpirun", "mpiexec", "orterun", "orted"};
  for (pid_t pid = ::getppid(); pid > 1; pid = parent_of(pid)) {
    const std::string name = name_of(pid);
    if (std::ranges::find(kNames, name) != kNames.end()) return pid;
  }
  return std::nullopt;
}

/// Runs in a child that has closed all inherited files, because mpirun waits for the ends of its
/// pipes.
[[noreturn]] void end_when_orphaned(pid_t parent, pid_t launcher, Duration grace) {
  constexpr auto kLook = std::chrono::milliseconds{50};
  constexpr auto kForce = std::chrono::seconds{10};
  constexpr auto kEndOfMpi = std::chrono::seconds{60};
  const WallInstant give_up = wall_now() + kEndOfMpi;
  while (::getppid() == parent && wall_now() < give_up) std::this_thread::sleep_for(kLook);
  for (const int signal : {SIGTERM, SIGKILL}) {
    const WallInstant due = wall_now() + grace;
    while (wall_now() < due && !is_gone(launcher)) std::this_thread::sleep_for(kLook);
    if (is_gone(launcher)) break;
    ::kill(launcher, signal);
    grace = kForce;
  }
  ::_exit(0);
}

}  // namespace

bool outlives_others() {
  const char* set = std::getenv("OMPI_MCA_orte_enable_recovery");
  constexpr std::array<std::string_view, 3> kYes{"1", "true", "yes"};
  return set != nullptr && std::ranges::find(kYes, set) != kYes.end();
}

void end_launcher() {
  if (const auto pid = launcher()) ::kill(*pid, SIGTERM);
}

void end_launcher_after(Duration grace) {
  const auto pid = launcher();
  const pid_t parent = ::getpid();
  if (!pid || ::fork() != 0) return;
  ::setsid();
  std::signal(SIGTERM, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  end_when_orphaned(parent, *pid, grace);
}

void leave_exit_code(int code) {
  const char* file = std::getenv("MIMUS_EXIT_CODE_FILE");
  if (file == nullptr || MpiWorld::launched_rank() != 0) return;
  if (std::ofstream(file) << code << '\n') return;
  log::warn("{}: cannot be written", file);
}

}  // namespace mimus::emulator
