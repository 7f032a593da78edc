// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_commands.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mimus::emulator {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool GangCommands::is_one(MessageKind kind) {
  return kind == MessageKind::stop_attempt || kind == MessageKind::retune_attempt ||
         kind == MessageKind::resize_attempt || kind == MessageKind::suspend_attempt ||
         kind == MessageKind::resume_attempt || kind == MessageKind::limit_attempt ||
         kind == MessageKind::read_attempt || kind == MessageKind::save_attempt ||
         kind == MessageKind::command_limit;
}

template <class Message>
bool GangCommands::keep(const Message& message, GangCommand command) {
  if (message.attempt != attempt_) return false;
  if constexpr (requires { message.decided_ns; }) command.decided_ns = message.decided_ns;
  waiting_[message.number] = std::move(command);
  last_ = std::max(last_, message.number);
  return true;
}

bool GangCommands::take(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::stop_attempt: {
      const auto stop = decode<StopMessage>(envelope.bytes);
      return keep(stop, {.checkpoint = stop.checkpoint, .at_ns = stop.at_ns});
    }
    case MessageKind::retune_attempt: {
      const auto retune = decode<RetuneMessage>(envelope.bytes);
      return keep(retune, {.kind = GangCommand::Kind::retune, .batch = retune.batch});
    }
    case MessageKind::resize_attempt: {
      const auto resize = decode<ResizeMessage>(envelope.bytes);
      return keep(resize, {.kind = GangCommand::Kind::resize, .resized = resize.next});
    }
    case MessageKind::limit_attempt: {
      const auto limit = decode<LimitMessage>(envelope.bytes);
      return keep(limit, {.kind = GangCommand::Kind::limit, .limits = limit.limits});
    }
    case MessageKind::read_attempt: {
      const auto read = decode<ReadMessage>(envelope.bytes);
      return keep(read, {.kind = GangCommand::Kind::read, .read_rate = read.samples_per_second});
    }
    case MessageKind::save_attempt:
      return keep(decode<SaveMessage>(envelope.bytes), {.kind = GangCommand::Kind::save});
    case MessageKind::suspend_attempt: {
      const auto suspend = decode<SuspendMessage>(envelope.bytes);
      return keep(suspend, {.kind = GangCommand::Kind::suspend, .keeps = suspend.keeps});
    }
    case MessageKind::resume_attempt: {
      const auto resume = decode<ResumeMessage>(envelope.bytes);
      return keep(resume, {.kind = GangCommand::Kind::resume, .at_ns = resume.at_ns});
    }
    case MessageKind::command_limit:
      return keep(decode<CommandLimit>(envelope.bytes));
    default:
      return false;
  }
}

bool GangCommands::keep(const CommandLimit& limit) {
  if (limit.attempt != attempt_) return false;
  if (!limit_ || limit_->step < limit.step) limit_ = limit;
  if (limit_->step == limit.step) {
    limit_->decided_ns = std::min(limit_->decided_ns, limit.decided_ns);
  }
  return true;
}

std::int64_t GangCommands::decided_limit(std::int64_t step) const {
  return limit_ && limit_->step == step ? limit_->decided_ns : kNoLimit;
}

std::int64_t GangCommands::decided_by(std::int64_t at_ns) const {
  std::int64_t number = applied_;
  for (const auto& [next, command] : waiting_) {
    if (next != number + 1 || command.decided_ns > at_ns) break;
    number = next;
  }
  return number;
}

std::int64_t GangCommands::complete() const {
  return decided_by(kNoLimit);
}

const GangCommand* GangCommands::peek() const {
  const auto found = waiting_.find(applied_ + 1);
  return found == waiting_.end() ? nullptr : &found->second;
}

std::optional<GangCommand> GangCommands::next(std::int64_t agreed) {
  if (applied_ >= agreed) return std::nullopt;
  auto command = std::move(waiting_.at(++applied_));
  waiting_.erase(applied_);
  return command;
}

}  // namespace mimus::emulator
