// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/process_state.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// The fields of /proc/PID/stat after the name, which may contain any character: state, parent, ...
std::string facts_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  const bool whole = name_end != std::string::npos && name_end + 2 < text.size();
  return whole ? text.substr(name_end + 2) : std::string();
}

/// The state letter that ps shows.
char state_of(std::int64_t pid) {
  constexpr char kUnknown = '?';
  const std::string facts = facts_of(pid);
  return facts.empty() ? kUnknown : facts.front();
}

}  // namespace

bool is_gone(std::int64_t pid) {
  constexpr char kZombie = 'Z';
  return (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) || state_of(pid) == kZombie;
}

std::int32_t parent_of(std::int64_t pid) {
  std::istringstream facts(facts_of(pid));
  char state = '?';
  std::int32_t parent = 0;
  facts >> state >> parent;
  return parent;
}

std::string name_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(file, name);
  return name;
}

bool is_stopped(std::int64_t pid) {
  constexpr char kStopped = 'T';
  return state_of(pid) == kStopped;
}

}  // namespace mimus::emulator
