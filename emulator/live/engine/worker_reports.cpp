// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/worker_reports.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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
    case MessageKind::attempt_saved:
      return told<SavedMessage>(envelope);
    case MessageKind::attempt_progress:
      return told<ProgressMessage>(envelope);
    case MessageKind::attempt_ended:
      return told<EndedMessage>(envelope);
    default:
      return std::nullopt;
  }
}

/// When that happened which a message is about that holds the clock.
WallInstant instant_of(const Envelope& envelope) {
  if (envelope.kind == MessageKind::joiner_ready) return told<JoinerReady>(envelope).at;
  const auto told = told_of_attempt(envelope);
  ensure(told.has_value(), "a message holds the clock and reports no instant");
  return told->at;
}

}  // namespace

/// Passes on what workers report in the order in which it happened. An event is passed on only when
/// nothing earlier can come any more.
bool WorkerReports::receive(std::vector<TimedEvent>& happened, Instant until) {
  if (!state_.due.empty()) {
    happened.insert(happened.end(), state_.due.begin(), state_.due.end());
    state_.due.clear();
    return true;
  }
  while (auto envelope = state_.mailbox.poll()) {
    hear(*envelope);
    if (const auto told = told_of_attempt(*envelope)) {
      state_.running.is_alive(told->attempt);
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
bool WorkerReports::can_nothing_come_before(WallInstant at) const {
  return state_.winding_down || !state_.abandoned.empty() ||
         state_.clock.can_nothing_come_before(at);
}

/// Ignores reports of an attempt that has been lost in the meantime. Those of a gang that goes on
/// as another attempt wait for the end of the one before, which a member that leaves may report
/// later where the clock does not wait.
bool WorkerReports::take_next(std::vector<TimedEvent>& happened, Instant until) {
  const WallInstant bound = until == kNever ? WallInstant::max() : state_.cell.local(until);
  while (heard_.first() < bound && can_nothing_come_before(heard_.first())) {
    Envelope first = heard_.take_first();
    const AttemptId attempt = told_of_attempt(first)->attempt;
    if (state_.resizes.is_to_follow(attempt)) {
      early_.push_back(std::move(first));
      continue;
    }
    if (!state_.running.contains(attempt)) continue;
    if (auto event = translate(first)) {
      append(std::move(*event), happened);
      return true;
    }
  }
  return false;
}

void WorkerReports::hear(const Envelope& envelope) {
  watch_.heard_from(envelope);
  if (holds_clock(envelope.kind)) state_.clock.heard(envelope.source, instant_of(envelope));
}

/// What other attempts tell has happened after the instant at which these are cut off, and so has
/// what these tell, except for their last steps.
void WorkerReports::hear_while_cutting(Envelope envelope) {
  hear(envelope);
  const auto told = told_of_attempt(envelope);
  if (!told) {
    (void)translate(envelope);
  } else if (envelope.kind == MessageKind::attempt_progress &&
             state_.abandoned.contains(told->attempt)) {
    auto message = decode<ProgressMessage>(envelope.bytes);
    state_.due.push_back(
        {state_.clock.last(), AttemptProgress{.attempt = told->attempt,
                                              .windows = std::move(message.windows),
                                              .samples_done = message.samples_done,
                                              .is_report = message.is_report}});
  } else {
    heard_.add(told->at, std::move(envelope));
  }
}

void WorkerReports::append(EngineEvent event, std::vector<TimedEvent>& happened) {
  happened.push_back({state_.clock.last(), std::move(event)});
  if (pending_end_) {
    happened.push_back({state_.clock.last(), *std::exchange(pending_end_, std::nullopt)});
  }
}

std::optional<EngineEvent> WorkerReports::translate(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::attempt_started:
      return started(decode<StartedMessage>(envelope.bytes));
    case MessageKind::attempt_suspended:
      return suspended(decode<SuspendedMessage>(envelope.bytes));
    case MessageKind::attempt_resumed:
      return resumed(decode<ResumedMessage>(envelope.bytes));
    case MessageKind::attempt_limited: {
      const auto message = decode<LimitedMessage>(envelope.bytes);
      state_.clock.reached(message.at_ns);
      return scheduler::AttemptLimited{AttemptId{message.attempt}};
    }
    case MessageKind::attempt_saved:
      return saved(decode<SavedMessage>(envelope.bytes));
    case MessageKind::attempt_progress:
      return progressed(decode<ProgressMessage>(envelope.bytes));
    case MessageKind::attempt_ended:
      return ended(decode<EndedMessage>(envelope.bytes));
    case MessageKind::attempt_alive:
      state_.running.is_alive(AttemptId{decode<AttemptAlive>(envelope.bytes).attempt});
      break;
    case MessageKind::attempt_abandoned:
      state_.abandoned.left(AttemptId{decode<AttemptAbandoned>(envelope.bytes).attempt},
                            envelope.source);
      watch_.end_abandoned();
      break;
    case MessageKind::joiner_ready:
      state_.resizes.joiner_ready(decode<JoinerReady>(envelope.bytes), envelope.source);
      break;
    case MessageKind::device_sample:
      state_.devices.take_sample(envelope);
      break;
    case MessageKind::worker_failed: {
      const auto message = decode<WorkerFailed>(envelope.bytes);
      throw Error(static_cast<ExitCode>(message.exit_code),
                  fmt::format("{}: {}{}", state_.world.where_is(envelope.source), message.what,
                              state_.processes.stopped()));
    }
    default:
      break;
  }
  return std::nullopt;
}

EngineEvent WorkerReports::started(const StartedMessage& message) {
  const AttemptId id{message.attempt};
  state_.abandoned.left_before(state_.running.at(id));
  state_.clock.reached(message.at_ns);
  return scheduler::AttemptStarted{id};
}

EngineEvent WorkerReports::suspended(const SuspendedMessage& message) {
  const AttemptId id{message.attempt};
  state_.running.suspended(id);
  state_.clock.reached(message.at_ns);
  return scheduler::AttemptSuspended{id};
}

EngineEvent WorkerReports::resumed(const ResumedMessage& message) {
  state_.clock.reached(message.at_ns);
  return scheduler::AttemptResumed{AttemptId{message.attempt}};
}

EngineEvent WorkerReports::saved(const SavedMessage& message) {
  const AttemptId id{message.attempt};
  state_.running.saved(id, message.samples_done);
  state_.clock.reached(message.at_ns);
  return AttemptSaved{id, message.samples_done};
}

EngineEvent WorkerReports::progressed(ProgressMessage message) {
  state_.clock.reached(message.at_ns);
  return AttemptProgress{.attempt = AttemptId{message.attempt},
                         .windows = std::move(message.windows),
                         .samples_done = message.samples_done,
                         .is_report = message.is_report};
}

EngineEvent WorkerReports::ended(EndedMessage message) {
  const AttemptId id{message.attempt};
  state_.clock.reached(message.at_ns);
  const RunningAttempt& running = state_.running.at(id);
  state_.devices.take_report(id, running.job, message.device);
  message.samples_done = std::max(message.samples_done, running.samples_kept);
  if (const auto next = state_.resizes.ended(message)) {
    state_.abandoned.joined(*next, state_.running.at(*next));
    if (state_.winding_down) state_.running.command(*next, StopMessage{.checkpoint = false});
    for (Envelope& early : std::exchange(early_, {})) {
      const WallInstant at = told_of_attempt(early)->at;
      heard_.add(at, std::move(early));
    }
  }
  state_.running.erase(id);
  pending_end_ = scheduler::AttemptEnded{id, message.reason, message.detail, message.samples_done};
  return AttemptProgress{.attempt = id,
                         .windows = std::move(message.windows),
                         .samples_done = message.samples_done,
                         .is_report = false};
}

}  // namespace mimus::emulator
