// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// How a live cell goes on when a worker has died: its GPU is lost, what ran on it ends, and who
// worked with it comes back to serve.
#include <algorithm>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/mpi/process_state.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {
namespace {

std::vector<int> ranks_of(const scheduler::Allocation& allocation) {
  std::vector<int> ranks;
  for (const auto& slot : allocation.slots) ranks.push_back(rank_of(slot.lane));
  return ranks;
}

}  // namespace

bool survives_losses(const EngineConfig& engine) {
  return outlives_others() && engine.on_lost_rank != EngineConfig::OnLostRank::stop;
}

/// What was lost in cells before, or since the last one.
void LiveEngine::remember_losses() {
  const WallInstant now = wall_now();
  for (const int host : world_.host().hosts()) hosts_heard_[host] = now;
  for (const auto& [rank, what] : mailbox_.lost()) {
    if (hosts_) hosts_->lost(rank);
    lose_gpu_of(rank, what);
  }
}

GpuId LiveEngine::gpu_of(int rank) const {
  const auto& shape = cell_.cluster.shape;
  const GpuId gpu{(rank - 1) / shape.lanes_per_gpu};
  return gpu.value() < shape.gpus() ? gpu : GpuId{};
}

bool LiveEngine::is_lost(const scheduler::Allocation& allocation) const {
  return std::any_of(allocation.slots.begin(), allocation.slots.end(),
                     [this](const auto& slot) { return lost_gpus_.contains(slot.gpu); });
}

/// A GPU is lost with the first of its workers: none is left that could take another's place.
void LiveEngine::lose_gpu_of(int rank, const std::string& what) {
  const GpuId gpu = gpu_of(rank);
  if (!gpu || !lost_gpus_.insert(gpu).second) return;
  const std::string detail = fmt::format("GPU {} of node {}: {}", gpu.value(),
                                         cell_.cluster.shape.node_of(gpu).value(), what);
  due_.push_back({last_event_, scheduler::GpuDown{gpu, detail}});
  to_forget_.insert(gpu);
}

void LiveEngine::look_for_losses() {
  if (!survives_) return check_processes();
  const WallInstant now = wall_now();
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    if (mailbox_.is_lost(rank)) continue;
    const RankStatus& status = world_.host().statuses()[static_cast<std::size_t>(rank)];
    const int host = world_.host().hosts()[static_cast<std::size_t>(rank)];
    if (status.pid != 0) {
      if (is_gone(status.pid)) lose(rank, died(rank, world_.where_is(rank)));
    } else if (const Duration silent = now - hosts_heard_.at(host);
               silent > cell_.engine.stage_timeout / 2) {  // others wait for its ranks longer
      lose(rank, fmt::format("{}: nothing has come from its host for {:.0f} s",
                             world_.where_is(rank), to_seconds(silent)));
    }
  }
  end_unresponsive(now);
}

std::string LiveEngine::died(int rank, const std::string& where) const {
  return fmt::format("{} has died (process {})", where,
                     world_.ranks()[static_cast<std::size_t>(rank)].pid);
}

void LiveEngine::lose(int rank, const std::string& what) {
  if (mailbox_.is_lost(rank)) return;
  mailbox_.lose(rank, what);
  note_survived(rank);
  clock_.forget(rank);
  if (hosts_) hosts_->lost(rank);
  std::erase(sampling_, rank);
  awaited_.erase(rank);
  for (auto& [id, losing] : losing_) losing.awaited.erase(rank);
  last_event_ = now();
  lose_gpu_of(rank, what);
  const GpuId gpu = gpu_of(rank);
  const std::string serves = gpu ? fmt::format("without GPU {}", gpu.value()) : "as it is";
  log::warn("{}; the cell goes on {}", what, serves);
  abandon_with(rank, what);
  end_abandoned();
}

/// Attempts on the GPU, those about to grow onto it, and the last one that the rank was in, which
/// others may still be leaving.
void LiveEngine::abandon_with(int rank, const std::string& what) {
  std::vector<AttemptId> hit;
  for (const auto& [id, running] : running_) {
    const auto resizing = resizing_.find(id);
    const bool joins = resizing != resizing_.end() && is_lost(resizing->second.running.allocation);
    const bool last = running_last_.contains(rank) && running_last_.at(rank).attempt == id;
    if (is_lost(running.allocation) || joins || last) hit.push_back(id);
  }
  for (const AttemptId id : hit) abandon(id, what);
  const auto last = running_last_.find(rank);
  if (last == running_last_.end() || running_.contains(last->second.attempt)) return;
  AbandonAttempt message;
  message.attempt = last->second.attempt.value();
  message.before = last->second.before.value();
  for (const int member : last->second.ranks) mailbox_.send(member, message);
}

void LiveEngine::abandon(AttemptId id, const std::string& what) {
  if (losing_.contains(id)) return;
  const Running& running = running_.at(id);
  Losing losing;
  losing.detail = what;
  losing.asked = wall_now();
  AbandonAttempt message;
  message.attempt = id.value();
  message.before = running.before.value();
  std::vector<int> members = running.members;
  if (const auto found = resizing_.find(id); found != resizing_.end()) {
    message.next = losing.next = found->second.next.attempt;
    members.insert(members.end(), found->second.joining.begin(), found->second.joining.end());
  }
  for (const int member : members) {
    if (mailbox_.is_lost(member)) continue;
    mailbox_.send(member, message);
    losing.awaited.insert(member);
  }
  losing_.emplace(id, std::move(losing));
}

void LiveEngine::abandoned(AttemptId id, int rank) {
  const auto found = losing_.find(id);
  if (found == losing_.end()) return;
  found->second.awaited.erase(rank);
  end_abandoned();
}

/// Ends attempts all of whose members have given back what they held. One may have ended by itself
/// meanwhile, or gone on as the next one.
void LiveEngine::end_abandoned() {
  for (auto entry = losing_.begin(); entry != losing_.end();) {
    auto& [id, losing] = *entry;
    if (!losing.awaited.empty()) {
      ++entry;
      continue;
    }
    for (const AttemptId ended : {id, AttemptId{losing.next}}) {
      const auto running = running_.find(ended);
      if (running == running_.end()) continue;
      last_event_ = now();
      due_.push_back(
          {last_event_, scheduler::AttemptEnded{ended, scheduler::EndReason::worker_lost,
                                                losing.detail, running->second.samples_kept}});
      running_.erase(running);
    }
    resizing_.erase(id);
    entry = losing_.erase(entry);
  }
  if (losing_.empty()) forget_lost_gpus();
}

/// A dead process cannot give back what it had booked.
void LiveEngine::forget_lost_gpus() {
  const auto& shape = cell_.cluster.shape;
  for (const GpuId gpu : std::exchange(to_forget_, {})) {
    const auto number = static_cast<std::int32_t>(gpu.value());
    const auto lane = static_cast<std::size_t>(rank_of(shape.lane_of(gpu, 0)));
    const auto& hosts = world_.host().hosts();
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
      if (hosts[rank] != hosts[lane] || mailbox_.is_lost(static_cast<int>(rank))) continue;
      if (rank == 0) {
        ledger_.forget_gpu(number);
        links_.forget_gpu(number);
        turns_.forget_gpu(number);
      } else {
        mailbox_.send(static_cast<int>(rank), ForgetGpu{number});
      }
      break;
    }
  }
}

/// A member that was in a call of MPI's when another one died may never come back from it. The
/// clock waits for it, and others would give up after the whole of the time.
void LiveEngine::end_unresponsive(WallInstant now) {
  const Duration patience = cell_.engine.stage_timeout / 2;
  for (const auto& [id, losing] : losing_) {
    const Duration waited = now - losing.asked;
    if (waited <= patience) continue;
    for (const int rank : losing.awaited) {
      const auto pid = world_.host().statuses()[static_cast<std::size_t>(rank)].pid.load();
      if (pid == 0) {
        throw TimeoutError(
            "abandoning an attempt", waited,
            fmt::format("attempt {} waits for {}", id.value(), world_.where_is(rank)));
      }
      log::warn("{} did not leave attempt {} and is ended", world_.where_is(rank), id.value());
      ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
  }
}

void LiveEngine::heard_from(const Envelope& envelope) {
  hosts_heard_[world_.host().hosts()[static_cast<std::size_t>(envelope.source)]] = wall_now();
  if (envelope.kind != MessageKind::rank_lost) return;
  const auto lost = decode<RankLost>(envelope.bytes);
  const auto& host = world_.ranks()[static_cast<std::size_t>(lost.rank)].host;
  const std::string where = fmt::format("rank {} on host {} ({})", lost.rank, host, lost.doing);
  if (!survives_) throw WorkerLostError(died(lost.rank, where) + kResume);
  lose(lost.rank, died(lost.rank, where));
}

LiveEngine::Running LiveEngine::running_of(const Attempt& attempt) {
  Running running;
  running.job = attempt.job;
  running.allocation = attempt.allocation;
  running.last_heard = wall_now();
  running.samples_kept = attempt.samples_kept;
  for (const auto& slot : attempt.allocation.slots) running.members.push_back(rank_of(slot.lane));
  return running;
}

/// Who was in what last, for the time at which a member dies in leaving it.
void LiveEngine::remember_members(AttemptId id, const Running& running) {
  for (const int rank : running.members) {
    running_last_[rank] = {id, running.before, running.members};
  }
}

/// All members have left the attempt before.
void LiveEngine::all_have_joined(AttemptId id) {
  const Running& running = running_.at(id);
  const auto now = ranks_of(running.allocation);
  for (const int rank : running.members) {
    if (std::ranges::find(now, rank) == now.end()) running_last_.erase(rank);
  }
}

void LiveEngine::nothing_left_to_happen() const {
  throw Error(ExitCode::run_failed,
              fmt::format("nothing is left to happen while jobs wait: the policy starts none of "
                          "them on the {} of {} GPUs that are left, and asks for no wake-up; "
                          "\"mimus summary\" shows what they wait for",
                          cell_.cluster.shape.gpus() - static_cast<int>(lost_gpus_.size()),
                          cell_.cluster.shape.gpus()));
}

}  // namespace mimus::emulator
