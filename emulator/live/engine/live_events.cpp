// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What workers report to rank 0, and how it becomes events of the engine.
#include <utility>

#include <fmt/format.h>

#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/messages/joining_messages.hpp"

namespace mimus::emulator {
namespace {

/// The attempt that a message is about, and the instant of the event.
struct Told {
  AttemptId attempt;
  WallInstant at;
};

template <class Message>
Told told(const Envelope& envelope) {
  const auto message = decode<Message>(envelope.bytes);
  return {AttemptId{message.attempt}, WallInstant{Duration{message.at_ns}}};
}

/// Returns nothing for messages that are not events.
std::optional<Told> told_of_attempt(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::attempt_started:
      return told<StartedMessage>(envelope);
    case MessageKind::attempt_suspended:
      return told<SuspendedMessage>(envelope);
    case MessageKind::attempt_resumed:
      return told<ResumedMessage>(envelope);
    case MessageKind::attempt_limited:
      return told<LimitedMessage>(envelope);
    case MessageKind::attempt_progress:
      return told<ProgressMessage>(envelope);
    case MessageKind::attempt_ended:
      return told<EndedMessage>(envelope);
    default:
      return std::nullopt;
  }
}

}  // namespace

/// Passes on what workers report in the order in which it happened. An event is passed on only when
/// nothing earlier can come any more.
bool LiveEngine::receive(std::vector<TimedEvent>& happened, Instant until) {
  if (!due_.empty()) {
    happened.insert(happened.end(), due_.begin(), due_.end());
    due_.clear();
    return true;
  }
  while (auto envelope = mailbox_.poll()) {
    heard_from(*envelope);
    if (holds_clock(envelope->kind)) clock_.heard(envelope->source);
    if (const auto told = told_of_attempt(*envelope)) {
      running_.is_alive(told->attempt);
      heard_.add(told->at, std::move(*envelope));
    } else if (auto event = translate(*envelope)) {
      append(std::move(*event), happened);
      return true;
    }
  }
  return take_next(happened, until);
}

/// Also true if the order does not matter: the run is about to end, or it loses workers, which
/// report nothing more.
bool LiveEngine::can_nothing_come_before(WallInstant at) const {
  return winding_down_ || !abandoned_.empty() || clock_.can_nothing_come_before(at);
}

/// Ignores reports of an attempt that has been lost in the meantime.
bool LiveEngine::take_next(std::vector<TimedEvent>& happened, Instant until) {
  const WallInstant bound = until == kNever ? WallInstant::max() : cell_.local(until);
  while (heard_.first() < bound && can_nothing_come_before(heard_.first())) {
    const Envelope first = heard_.take_first();
    if (!running_.contains(told_of_attempt(first)->attempt)) continue;
    if (auto event = translate(first)) {
      append(std::move(*event), happened);
      return true;
    }
  }
  return false;
}

/// What other attempts tell has happened after the instant at which these are cut off, and so has
/// what these tell, except for their last steps.
void LiveEngine::hear_while_cutting(Envelope envelope) {
  heard_from(envelope);
  if (holds_clock(envelope.kind)) clock_.heard(envelope.source);
  const auto told = told_of_attempt(envelope);
  if (!told) {
    (void)translate(envelope);
  } else if (envelope.kind == MessageKind::attempt_progress && abandoned_.contains(told->attempt)) {
    auto message = decode<ProgressMessage>(envelope.bytes);
    due_.push_back({clock_.last(), AttemptProgress{told->attempt, std::move(message.windows),
                                                   message.samples_done}});
  } else {
    heard_.add(told->at, std::move(envelope));
  }
}

void LiveEngine::append(EngineEvent event, std::vector<TimedEvent>& happened) {
  happened.push_back({clock_.last(), std::move(event)});
  if (pending_end_) {
    happened.push_back({clock_.last(), *std::exchange(pending_end_, std::nullopt)});
  }
}

std::optional<EngineEvent> LiveEngine::translate(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::attempt_started:
      return started(decode<StartedMessage>(envelope.bytes));
    case MessageKind::attempt_suspended:
      return suspended(decode<SuspendedMessage>(envelope.bytes));
    case MessageKind::attempt_resumed:
      return resumed(decode<ResumedMessage>(envelope.bytes));
    case MessageKind::attempt_limited: {
      const auto message = decode<LimitedMessage>(envelope.bytes);
      clock_.reached(message.at_ns);
      return scheduler::AttemptLimited{AttemptId{message.attempt}};
    }
    case MessageKind::attempt_progress:
      return progressed(decode<ProgressMessage>(envelope.bytes));
    case MessageKind::attempt_ended:
      return ended(decode<EndedMessage>(envelope.bytes));
    case MessageKind::attempt_alive:
      running_.is_alive(AttemptId{decode<AttemptAlive>(envelope.bytes).attempt});
      break;
    case MessageKind::attempt_abandoned:
      abandoned_.left(AttemptId{decode<AttemptAbandoned>(envelope.bytes).attempt}, envelope.source);
      end_abandoned();
      break;
    case MessageKind::joiner_ready:
      resizes_.joiner_ready(AttemptId{decode<JoinerReady>(envelope.bytes).attempt},
                            envelope.source);
      break;
    case MessageKind::device_sample:
      devices_.take_sample(envelope);
      break;
    case MessageKind::worker_failed: {
      const auto message = decode<WorkerFailed>(envelope.bytes);
      throw Error(static_cast<ExitCode>(message.exit_code),
                  fmt::format("{}: {}{}", world_.where_is(envelope.source), message.what,
                              processes_.stopped()));
    }
    default:
      break;
  }
  return std::nullopt;
}

EngineEvent LiveEngine::started(const StartedMessage& message) {
  const AttemptId id{message.attempt};
  abandoned_.left_before(running_.at(id));
  clock_.reached(message.at_ns);
  return scheduler::AttemptStarted{id};
}

EngineEvent LiveEngine::suspended(const SuspendedMessage& message) {
  const AttemptId id{message.attempt};
  running_.suspended(id);
  clock_.reached(message.at_ns);
  return scheduler::AttemptSuspended{id};
}

EngineEvent LiveEngine::resumed(const ResumedMessage& message) {
  clock_.reached(message.at_ns);
  return scheduler::AttemptResumed{AttemptId{message.attempt}};
}

EngineEvent LiveEngine::progressed(ProgressMessage message) {
  clock_.reached(message.at_ns);
  return AttemptProgress{AttemptId{message.attempt}, std::move(message.windows),
                         message.samples_done};
}

EngineEvent LiveEngine::ended(EndedMessage message) {
  const AttemptId id{message.attempt};
  clock_.reached(message.at_ns);
  devices_.take_report(id, running_.at(id).job, message.device);
  if (const auto next = resizes_.ended(message)) {
    abandoned_.joined(*next, running_.at(*next));
    if (winding_down_) running_.command(*next, StopMessage{.checkpoint = false});
  }
  running_.erase(id);
  pending_end_ = scheduler::AttemptEnded{id, message.reason, message.detail, message.samples_done};
  return AttemptProgress{id, std::move(message.windows), message.samples_done};
}

}  // namespace mimus::emulator
