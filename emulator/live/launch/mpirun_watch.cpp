// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/mpirun_watch.hpp"

#include <charconv>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include "emulator/live/mpi/process_state.hpp"

namespace mimus::emulator {
namespace {

/// The time that mpirun needs to notice the end of its ranks and to pass on their output.
constexpr Duration kItsOwnWay = std::chrono::seconds{10};
constexpr Duration kOfTheSurvivors = std::chrono::seconds{4};
/// Counted from the last rank that started: mpirun starts the ranks of a host one after another.
constexpr Duration kNextStarts = std::chrono::seconds{15};

int children_of(pid_t parent) {
  int count = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), pid);
    const bool is_process = end.ec == std::errc{} && end.ptr == name.data() + name.size();
    if (is_process && parent_of(pid) == parent && !is_gone(pid)) ++count;
  }
  return count;
}

}  // namespace

/// A rank that died before it reported its start is missing among the children of mpirun.
bool MpirunWatch::lacks_a_rank() {
  if (note_.first_dead()) return true;
  if (!settings_.on_one_host || !note_.any_has_started()) return false;
  const int children = children_of(mpirun_);
  if (children > children_) {
    children_ = children;
    more_at_ = wall_now();
  }
  return children < settings_.ranks && wall_now() - more_at_ > kNextStarts;
}

void MpirunWatch::look() {
  note_.notice_dead();
  if (note_.all_have_ended()) return end(settings_.outlives_workers ? kOfTheSurvivors : kItsOwnWay);
  if (settings_.outlives_workers) {
    if (note_.rank_0_has_ended()) return end(kOfTheSurvivors);
    if (!note_.is_formed() && lacks_a_rank() && note_.give_up_unformed()) return end(Duration{});
  }
  useless_since_.reset();
}

void MpirunWatch::end(Duration after) {
  const WallInstant now = wall_now();
  if (!useless_since_) useless_since_ = now;
  if (now - *useless_since_ < after) return;
  if (settings_.outlives_workers && !told_to_end_) {
    ::kill(mpirun_, SIGTERM);
    told_to_end_ = true;
  } else if (now - *useless_since_ > after + (told_to_end_ ? kItsOwnWay : Duration{})) {
    note_.tell_living_to_end();
    ::kill(-mpirun_, SIGKILL);
  }
}

}  // namespace mimus::emulator
