// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_commands.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {

bool GangCommands::is_one(MessageKind kind) {
  return kind == MessageKind::stop_attempt || kind == MessageKind::retune_attempt ||
         kind == MessageKind::resize_attempt;
}

template <class Message>
bool GangCommands::keep(const Message& message, GangCommand command) {
  if (message.attempt != attempt_) return false;
  waiting_[message.number] = std::move(command);
  last_ = std::max(last_, message.number);
  return true;
}

bool GangCommands::take(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::stop_attempt: {
      const auto stop = decode<StopMessage>(envelope.bytes);
      return keep(stop, {.stop = true, .checkpoint = stop.checkpoint});
    }
    case MessageKind::retune_attempt: {
      const auto retune = decode<RetuneMessage>(envelope.bytes);
      return keep(retune, {.batch = retune.batch});
    }
    case MessageKind::resize_attempt: {
      const auto resize = decode<ResizeMessage>(envelope.bytes);
      return keep(resize, {.resized = resize.next});
    }
    default:
      return false;
  }
}

std::optional<GangCommand> GangCommands::next(std::int64_t agreed) {
  if (applied_ >= agreed) return std::nullopt;
  auto command = std::move(waiting_.at(++applied_));
  waiting_.erase(applied_);
  return command;
}

}  // namespace mimus::emulator
