// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/in_place_resizes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {

StartMessage start_message(const Attempt& attempt) {
  StartMessage message;
  message.attempt = attempt.id.value();
  message.job = attempt.job.value();
  message.model = attempt.model->name;
  message.slots = attempt.allocation.slots;
  message.host = attempt.allocation.host;
  message.batch = attempt.batch;
  message.limits = attempt.limits;
  message.samples_done = attempt.samples_done;
  message.samples_kept = attempt.samples_kept;
  message.work_samples = attempt.work_samples;
  message.learning = attempt.learning;
  message.fail_at_samples = attempt.fail_at_samples;
  message.fail_reason = attempt.fail_reason;
  message.from_checkpoint = attempt.from_checkpoint;
  if (attempt.stages) message.stages = *attempt.stages;
  message.probe_steps = attempt.probe_steps;
  return message;
}

void InPlaceResizes::begin(AttemptId from, const Attempt& to, const Times& times) {
  const scheduler::Allocation& before = running_.at(from).allocation;
  const std::size_t members = before.slots.size();
  Resize resize;
  resize.next = start_message(to);
  resize.running = RunningAttempt(to);
  resize.next.at_ns = times.at.time_since_epoch().count();
  resize.next.cut_ns = times.cut_ns;
  resize.next.members_before = static_cast<std::int32_t>(members);
  resize.next.attempt_before = from.value();
  const bool moves = is_move(before, to.allocation);
  if (moves) resize.next.state_from = before.slots.front();
  for (std::size_t rank = moves ? 0 : members; rank < to.allocation.slots.size(); ++rank) {
    resize.joining.push_back(rank_of(to.allocation.slots[rank].lane));
  }
  for (const int rank : resize.joining) mailbox_.send(rank, resize.next);
  resize.not_ready = {resize.joining.begin(), resize.joining.end()};
  resize.asked = times.now;
  resize.patience = cell_.wall(to.model->startup) + 2 * cell_.engine.stage_timeout;
  resize.decided_ns = times.decided_ns;
  if (resize.not_ready.empty()) tell_gang(from, resize);
  resizes_[from] = std::move(resize);
}

void InPlaceResizes::tell_gang(AttemptId from, const Resize& resize) {
  running_.command(from, ResizeMessage{.decided_ns = resize.decided_ns, .next = resize.next});
}

bool InPlaceResizes::is_to_follow(AttemptId to) const {
  return std::ranges::any_of(
      resizes_, [&](const auto& resize) { return AttemptId{resize.second.next.attempt} == to; });
}

const InPlaceResizes::Resize* InPlaceResizes::find(AttemptId from) const {
  const auto found = resizes_.find(from);
  return found == resizes_.end() ? nullptr : &found->second;
}

void InPlaceResizes::joiner_ready(const JoinerReady& ready, int rank) {
  const auto found = std::find_if(resizes_.begin(), resizes_.end(), [&ready](const auto& entry) {
    return entry.second.next.attempt == ready.attempt;
  });
  if (found == resizes_.end()) return;  // the gang has ended in the meantime
  Resize& resize = found->second;
  resize.not_ready.erase(rank);
  resize.decided_ns = std::max(resize.decided_ns, ready.at_ns);
  if (resize.not_ready.empty()) tell_gang(found->first, resize);
}

void InPlaceResizes::watch(WallInstant now, Duration stuck) const {
  for (const auto& [from, resize] : resizes_) {
    const Duration waited = now - resize.asked + stuck;
    if (resize.not_ready.empty() || waited <= resize.patience) continue;
    throw TimeoutError(name(Stage::joining), waited,
                       fmt::format("attempt {} of job {} waits for {}", resize.next.attempt,
                                   resize.next.job, world_.where_is(*resize.not_ready.begin())));
  }
}

std::optional<AttemptId> InPlaceResizes::ended(const EndedMessage& message) {
  auto node = resizes_.extract(AttemptId{message.attempt});
  if (node.empty()) return std::nullopt;
  Resize& resize = node.mapped();
  const AttemptId next{resize.next.attempt};
  if (!is_followed(message.reason)) {
    for (const int rank : resize.joining) mailbox_.send(rank, CancelJoin{next.value()});
    return std::nullopt;
  }
  resize.running.last_heard = wall_now();
  resize.running.before = AttemptId{message.attempt};
  const RunningAttempt& before = running_.at(resize.running.before);
  resize.running.samples_kept = std::max(resize.running.samples_kept, before.samples_kept);
  auto& members = resize.running.members;  // leavers may have to end the last one
  const auto& all = before.members;
  std::ranges::copy_if(all, std::back_inserter(members), [&members](int rank) {
    return std::ranges::find(members, rank) == members.end();
  });
  running_.add(next, std::move(resize.running));
  return next;
}

}  // namespace mimus::emulator
