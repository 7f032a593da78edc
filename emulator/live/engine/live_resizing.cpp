// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank 0's side of gangs that grow and shrink in place: new members prepare, then the gang is told,
// and at its next step boundary it goes on as another attempt.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "emulator/live/engine/live_engine.hpp"

namespace mimus::emulator {

StartMessage start_message(const Attempt& attempt) {
  StartMessage message;
  message.attempt = attempt.id.value();
  message.job = attempt.job.value();
  message.model = attempt.model->name;
  message.slots = attempt.allocation.slots;
  message.batch = attempt.batch;
  message.samples_done = attempt.samples_done;
  message.samples_kept = attempt.samples_kept;
  message.work_samples = attempt.work_samples;
  message.fail_at_samples = attempt.fail_at_samples;
  message.fail_reason = attempt.fail_reason;
  message.from_checkpoint = attempt.from_checkpoint;
  message.probe_steps = attempt.probe_steps;
  return message;
}

void LiveEngine::resize(AttemptId from, const Attempt& to) {
  const auto found = running_.find(from);
  if (found == running_.end() || losing_.contains(from)) return;
  const auto members = found->second.allocation.slots.size();
  Resizing resizing;
  resizing.next = start_message(to);
  resizing.running = running_of(to);
  const WallInstant at = begin_at();
  resizing.next.at_ns = at.time_since_epoch().count();
  resizing.next.members_before = static_cast<std::int32_t>(members);
  for (std::size_t rank = members; rank < to.allocation.slots.size(); ++rank) {
    resizing.joining.push_back(rank_of(to.allocation.slots[rank].lane));
  }
  const std::span<const scheduler::Slot> slots(to.allocation.slots);
  hold_clock_for(slots.subspan(std::min(members, slots.size())), at);
  for (const int rank : resizing.joining) mailbox_.send(rank, resizing.next);
  resizing.not_ready = {resizing.joining.begin(), resizing.joining.end()};
  resizing.asked = clock_.now();
  resizing.patience = cell_.wall(to.model->startup) + 2 * cell_.engine.stage_timeout;
  if (resizing.not_ready.empty()) command(from, ResizeMessage{.next = resizing.next});
  resizing_[from] = std::move(resizing);
}

void LiveEngine::joiner_ready(AttemptId next, int rank) {
  const auto found = std::find_if(resizing_.begin(), resizing_.end(), [next](const auto& entry) {
    return entry.second.next.attempt == next.value();
  });
  if (found == resizing_.end()) return;  // the gang has ended meanwhile
  Resizing& resizing = found->second;
  resizing.not_ready.erase(rank);
  if (resizing.not_ready.empty()) command(found->first, ResizeMessage{.next = resizing.next});
}

/// Who is ready waits for the others and for the gang, which trains on and misses nobody.
void LiveEngine::watch_joiners() const {
  const WallInstant now = clock_.now();
  for (const auto& [from, resizing] : resizing_) {
    const Duration waited = now - resizing.asked + clock_.stuck();
    if (resizing.not_ready.empty() || waited <= resizing.patience) continue;
    throw TimeoutError(
        mimus::emulator::name(Stage::joining), waited,
        fmt::format("attempt {} of job {} waits for {}", resizing.next.attempt, resizing.next.job,
                    world_.where_is(*resizing.not_ready.begin())));
  }
}

/// The attempt has ended: the next one runs from here on, or those who wait to join are let go.
void LiveEngine::resize_ended(const EndedMessage& message) {
  const auto found = resizing_.find(AttemptId{message.attempt});
  if (found == resizing_.end()) return;
  Resizing resizing = std::move(found->second);
  resizing_.erase(found);
  const AttemptId next{resizing.next.attempt};
  if (message.reason == scheduler::EndReason::resized) {
    resizing.running.last_heard = wall_now();
    resizing.running.before = AttemptId{message.attempt};
    auto& members = resizing.running.members;  // those who leave may be needed to end the last one
    const auto& all = running_.at(resizing.running.before).members;
    std::ranges::copy_if(all, std::back_inserter(members), [&members](int rank) {
      return std::ranges::find(members, rank) == members.end();
    });
    remember_members(next, resizing.running);
    running_[next] = std::move(resizing.running);
    if (winding_down_) command(next, StopMessage{.checkpoint = false});
    return;
  }
  for (const int rank : resizing.joining) mailbox_.send(rank, CancelJoin{next.value()});
}

}  // namespace mimus::emulator
