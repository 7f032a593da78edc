// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/launch_end.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/live/launch/held_errors.hpp"

namespace mimus::emulator {
namespace {

constexpr int kOfSignals = 128;  ///< exit codes above this are those of signals
constexpr int kSignals = 64;

std::string by(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? "" : fmt::format(", by SIG{}", name);
}

/// Describes the end of a world that was never formed and in which no rank can report any more.
std::string without_name(const LaunchNote& note, int wait_status) {
  if (note.is_formed() || note.any_has_spoken()) return "";
  if (WIFSIGNALED(wait_status)) return "mpirun has been ended" + by(WTERMSIG(wait_status));
  const int signal = WEXITSTATUS(wait_status) - kOfSignals;
  return signal > 0 ? note.without_start() + by(signal) : "";
}

std::string dead_of(const LaunchEnd& end) {
  return end.died.empty() ? "a rank has died" : end.died;
}

/// Output of a world that ended well is only noise of libraries and stays in its order.
void pass_held(const LaunchEnd& end) {
  const std::string text = end.code == 0 ? end.held : in_order(end.held);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

int exit_code_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : kOfSignals + WTERMSIG(wait_status);
}

std::string who_died(const LaunchNote& note, int wait_status) {
  const std::string who = note.unsaid();
  if (who.empty()) return without_name(note, wait_status);
  // The exit code of mpirun says how the first rank died, unless mpirun itself was killed.
  return WIFEXITED(wait_status) ? who + by(WEXITSTATUS(wait_status) - kOfSignals) : who;
}

bool explains_itself(int code) {
  constexpr std::array kOurs{ExitCode::ok,          ExitCode::usage,    ExitCode::configuration,
                             ExitCode::environment, ExitCode::internal, ExitCode::interrupted};
  return std::ranges::find(kOurs, static_cast<ExitCode>(code)) != kOurs.end() ||
         (code > kOfSignals && code <= kOfSignals + kSignals);
}

/// A world whose ranks never started would end without a message, because mpirun in quiet mode does
/// not say that it has no slots or cannot reach a host.
int say_end(const LaunchEnd& end, int ranks) {
  if (end.unborn) {
    log::error(
        "mpirun ended with exit code {} and has not started any rank; does it have slots for {} "
        "ranks? try \"mpirun -n {} hostname\" with the same options",
        end.code, ranks, ranks);
  } else if (end.code != 0 && (end.unformed || !end.died.empty())) {
    log::error("{}; run the same command again to continue with the unfinished cells",
               dead_of(end));
  }
  pass_held(end);
  return end.unborn ? static_cast<int>(ExitCode::environment) : end.code;
}

void say_restart(const LaunchEnd& end) {
  log::warn("{} while the ranks were starting; they are started again", dead_of(end));
  pass_held(end);
}

}  // namespace mimus::emulator
