// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/worker_watch.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kLookInterval = std::chrono::milliseconds{200};

}  // namespace

void WorkerWatch::look(WallInstant wall) {
  if (wall - last_look_ < kLookInterval) return;
  last_look_ = wall;
  state_.clock.let_go_of_dead();
  look_for_losses();
  state_.resizes.watch(state_.clock.pace(), state_.clock.stuck());
  throw_if_silent(wall);
}

/// Workers give up first and say why. Rank 0 only has to notice if none of them can.
void WorkerWatch::throw_if_silent(WallInstant wall) const {
  const Duration patience = 2 * state_.cell.engine.stage_timeout;
  for (const auto& [id, running] : state_.running) {
    const Duration silent = wall - running.last_heard;
    if (silent <= patience || state_.abandoned.contains(id)) continue;
    const int lead = rank_of(running.allocation.slots.front().lane);
    throw TimeoutError("training", silent,
                       fmt::format("attempt {} does not report; its lead is {}{}", id.value(),
                                   state_.world.where_is(lead), state_.processes.stopped()));
  }
}

void WorkerWatch::heard_from(const Envelope& envelope) {
  state_.processes.heard_from(envelope.source);
  if (envelope.kind != MessageKind::rank_lost) return;
  const auto lost = decode<RankLost>(envelope.bytes);
  lose(state_.processes.death_of(lost.rank, lost.doing));
}

void WorkerWatch::look_for_losses() {
  if (!state_.processes.survives()) return state_.processes.check();
  for (const auto& death : state_.processes.deaths()) lose(death);
  state_.abandoned.end_unresponsive();
}

void WorkerWatch::lose(const WorkerProcesses::Death& death) {
  const int rank = death.rank;
  if (state_.mailbox.is_lost(rank)) return;
  state_.mailbox.lose(rank, death.what);
  note_survived(rank);
  state_.clock.lose(rank);
  state_.devices.lose(rank);
  state_.awaited.erase(rank);
  state_.abandoned.lose(rank);
  state_.clock.catch_up();
  lose_gpu_of(rank, death.what);
  const GpuId gpu = state_.lost_gpus.gpu_of(rank);
  const std::string serves = gpu ? fmt::format("without GPU {}", gpu.value()) : "as it is";
  log::warn("{}; the cell goes on {}", death.what, serves);
  abandon_with(rank, death.what);
  end_abandoned();
}

void WorkerWatch::lose_gpu_of(int rank, const std::string& what) {
  if (auto down = state_.lost_gpus.lose_gpu_of(rank, what))
    state_.due.push_back({state_.clock.last(), *down});
}

/// Abandons the attempts on the GPU, those about to grow onto it, and the last attempt of the rank,
/// which others may still be leaving.
void WorkerWatch::abandon_with(int rank, const std::string& what) {
  for (const auto& [id, running] : state_.running) {
    const auto* resize = state_.resizes.find(id);
    const bool joins =
        resize != nullptr && state_.lost_gpus.includes_any_of(resize->running.allocation);
    const bool hit = state_.lost_gpus.includes_any_of(running.allocation) || joins ||
                     state_.abandoned.was_last_of(rank, id);
    if (!hit) continue;
    const bool resizes = resize != nullptr;
    state_.abandoned.abandon(id, running, resizes ? AttemptId{resize->next.attempt} : AttemptId{},
                             resizes ? resize->joining : std::vector<int>{},
                             {scheduler::EndReason::worker_lost, what, {}});
  }
  state_.abandoned.abandon_last_of(rank, state_.running);
}

/// Ends attempts all of whose members have freed what they held. An attempt may have ended by
/// itself in the meantime, or have been followed by the next one after a resize.
void WorkerWatch::end_abandoned() {
  for (const auto& left : state_.abandoned.take_left()) {
    for (const AttemptId ended : {left.attempt, left.next}) {
      const RunningAttempt* running = state_.running.find(ended);
      if (running == nullptr) continue;
      const bool is_lost = !left.cause.all_live();
      state_.due.push_back({is_lost ? state_.clock.catch_up() : state_.clock.last(),
                            scheduler::AttemptEnded{ended, left.cause.reason, left.cause.what,
                                                    running->samples_kept, left.cause.node}});
      state_.running.erase(ended);
    }
    state_.resizes.erase(left.attempt);
  }
  if (state_.abandoned.empty()) state_.lost_gpus.forget_bookings();
}

}  // namespace mimus::emulator
