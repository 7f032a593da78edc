// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/status_line.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// Under mpirun stderr is a pipe. Mimus's own launch says whether it leads to a terminal.
bool on_terminal() {
  return ::isatty(STDERR_FILENO) != 0 || std::getenv("MIMUS_TERMINAL") != nullptr;
}

}  // namespace

StatusLine::StatusLine(bool quiet) : quiet_(quiet), terminal_(on_terminal()), begun_(wall_now()) {
  if (!terminal_) last_ = begun_;
}

StatusLine::~StatusLine() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

bool StatusLine::due() const {
  const Duration interval = terminal_ ? std::chrono::milliseconds{250} : std::chrono::seconds{10};
  return !quiet_ && wall_now() - last_ >= interval;
}

void StatusLine::show(const std::string& text) {
  last_ = wall_now();
  drawn_ = true;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace mimus::emulator
