// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/worker_processes.hpp"

#include <fmt/format.h>

#include "emulator/live/mpi/process_state.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator {
namespace {

/// The next step for the user.
constexpr const char* kResume =
    "; the results so far are kept; run the same command again to continue with the unfinished "
    "cells";

}  // namespace

bool survives_losses(const EngineConfig& engine) {
  return outlives_others() && engine.on_lost_rank != EngineConfig::OnLostRank::stop;
}

WorkerProcesses::WorkerProcesses(const LiveWorld& world, const Mailbox& mailbox,
                                 const EngineConfig& engine)
    : world_(world),
      mailbox_(mailbox),
      survives_(survives_losses(engine)),
      patience_(engine.stage_timeout / 2) {  // less than other ranks wait for these
  const WallInstant now = wall_now();
  for (const int host : world_.host().hosts()) hosts_heard_[host] = now;
}

std::int64_t WorkerProcesses::pid(int rank) const {
  return world_.host().statuses()[static_cast<std::size_t>(rank)].pid;
}

int WorkerProcesses::host_of(int rank) const {
  return world_.host().hosts()[static_cast<std::size_t>(rank)];
}

void WorkerProcesses::heard_from(int rank) {
  hosts_heard_[host_of(rank)] = wall_now();
}

std::string WorkerProcesses::died(int rank, const std::string& where) const {
  return fmt::format("{} has died (process {})", where,
                     world_.ranks()[static_cast<std::size_t>(rank)].pid);
}

std::vector<WorkerProcesses::Death> WorkerProcesses::deaths() const {
  std::vector<Death> dead;
  const WallInstant now = wall_now();
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    if (mailbox_.is_lost(rank)) continue;
    if (const std::int64_t process = pid(rank); process != 0) {
      if (is_gone(process)) dead.push_back({rank, died(rank, world_.where_is(rank))});
    } else if (const Duration silent = now - hosts_heard_.at(host_of(rank)); silent > patience_) {
      dead.push_back({rank, fmt::format("{}: its host has not reported for {:.0f} s",
                                        world_.where_is(rank), to_seconds(silent))});
    }
  }
  return dead;
}

WorkerProcesses::Death WorkerProcesses::death_of(int rank, const std::string& doing) const {
  const auto& host = world_.ranks()[static_cast<std::size_t>(rank)].host;
  const std::string what = died(rank, fmt::format("rank {} on host {} ({})", rank, host, doing));
  if (!survives_) throw WorkerLostError(what + kResume);
  return {rank, what};
}

/// Ranks that died by themselves are reported before those that the launcher has ended since.
std::optional<int> WorkerProcesses::lost() const {
  std::optional<int> ended;
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    const RankStatus& status = world_.host().statuses()[static_cast<std::size_t>(rank)];
    if (mailbox_.is_lost(rank) || status.pid == 0 || !is_gone(status.pid)) continue;
    if (status.told_to_end == 0) return rank;
    if (!ended) ended = rank;
  }
  return ended;
}

/// A launcher ends all ranks when one of them has died, and also when it is asked to end.
void WorkerProcesses::check() const {
  const std::optional<int> rank = lost();
  if (!rank) return;
  const RankStatus& status = world_.host().statuses()[static_cast<std::size_t>(*rank)];
  if (status.told_to_end != 0 && stop_signal() != 0) return;
  throw WorkerLostError(died(*rank, world_.where_is(*rank)) + kResume);
}

void WorkerProcesses::throw_if_stopped() const {
  if (stop_signal() == 0) return;
  if (!survives_) check();
  throw InterruptedError(stop_text(users_stop_signal()));
}

std::string WorkerProcesses::stopped() const {
  std::string out;
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    if (pid(rank) == 0 || !is_stopped(pid(rank))) continue;
    out += (out.empty() ? "; stopped by a signal: " : ", ") + world_.where_is(rank);
  }
  return out;
}

}  // namespace mimus::emulator
