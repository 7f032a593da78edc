// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/process_state.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// As ps shows it.
char state_of(std::int64_t pid) {
  constexpr char kUnknown = '?';
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  const bool whole = name_end != std::string::npos && name_end + 2 < text.size();
  return whole ? text[name_end + 2] : kUnknown;
}

}  // namespace

bool is_gone(std::int64_t pid) {
  constexpr char kZombie = 'Z';
  return (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) || state_of(pid) == kZombie;
}

bool is_stopped(std::int64_t pid) {
  constexpr char kStopped = 'T';
  return state_of(pid) == kStopped;
}

}  // namespace mimus::emulator
