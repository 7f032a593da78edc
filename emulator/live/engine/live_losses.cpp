// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// How a live cell continues when a worker has died. Its GPU is lost, attempts on the GPU end, and
// the other members of their gangs become available again.
#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {

void LiveEngine::heard_from(const Envelope& envelope) {
  processes_.heard_from(envelope.source);
  if (envelope.kind != MessageKind::rank_lost) return;
  const auto lost = decode<RankLost>(envelope.bytes);
  lose(processes_.death_of(lost.rank, lost.doing));
}

void LiveEngine::look_for_losses() {
  if (!processes_.survives()) return processes_.check();
  for (const auto& death : processes_.deaths()) lose(death);
  abandoned_.end_unresponsive();
}

void LiveEngine::lose(const WorkerProcesses::Death& death) {
  const int rank = death.rank;
  if (mailbox_.is_lost(rank)) return;
  mailbox_.lose(rank, death.what);
  note_survived(rank);
  clock_.lose(rank);
  devices_.lose(rank);
  awaited_.erase(rank);
  abandoned_.lose(rank);
  clock_.catch_up();
  lose_gpu_of(rank, death.what);
  const GpuId gpu = lost_gpus_.gpu_of(rank);
  const std::string serves = gpu ? fmt::format("without GPU {}", gpu.value()) : "as it is";
  log::warn("{}; the cell goes on {}", death.what, serves);
  abandon_with(rank, death.what);
  end_abandoned();
}

void LiveEngine::lose_gpu_of(int rank, const std::string& what) {
  if (auto down = lost_gpus_.lose_gpu_of(rank, what)) due_.push_back({clock_.last(), *down});
}

/// Abandons the attempts on the GPU, those about to grow onto it, and the last attempt of the rank,
/// which others may still be leaving.
void LiveEngine::abandon_with(int rank, const std::string& what) {
  for (const auto& [id, running] : running_) {
    const auto* resize = resizes_.find(id);
    const bool joins = resize != nullptr && lost_gpus_.includes_any_of(resize->running.allocation);
    const bool hit =
        lost_gpus_.includes_any_of(running.allocation) || joins || abandoned_.was_last_of(rank, id);
    if (!hit) continue;
    const bool resizes = resize != nullptr;
    abandoned_.abandon(id, running, resizes ? AttemptId{resize->next.attempt} : AttemptId{},
                       resizes ? resize->joining : std::vector<int>{},
                       {scheduler::EndReason::worker_lost, what, {}});
  }
  abandoned_.abandon_last_of(rank, running_);
}

/// Ends attempts all of whose members have freed what they held. An attempt may have ended by
/// itself in the meantime, or have been followed by the next one after a resize.
void LiveEngine::end_abandoned() {
  for (const auto& left : abandoned_.take_left()) {
    for (const AttemptId ended : {left.attempt, left.next}) {
      const RunningAttempt* running = running_.find(ended);
      if (running == nullptr) continue;
      const bool is_lost = !left.cause.all_live();
      due_.push_back({is_lost ? clock_.catch_up() : clock_.last(),
                      scheduler::AttemptEnded{ended, left.cause.reason, left.cause.what,
                                              running->samples_kept, left.cause.node}});
      running_.erase(ended);
    }
    resizes_.erase(left.attempt);
  }
  if (abandoned_.empty()) lost_gpus_.forget_bookings();
}

}  // namespace mimus::emulator
