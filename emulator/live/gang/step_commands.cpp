// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/step_commands.hpp"

#include <algorithm>

#include "emulator/live/messages/command_messages.hpp"

namespace mimus::emulator {
namespace {

/// An agreement takes this long, which the rest of the step hides.
constexpr Duration kAgreement = std::chrono::milliseconds{2};
/// Before the end of a step, commands decided by then have come by the time of the agreement, and
/// at the latest when the step is over, where every member promises nothing before its end. A
/// millisecond more is for the window by which clocks are ahead of promises.
constexpr Duration kDecidedBefore =
    kernels::PaceClock::kHaveTold + kAgreement + std::chrono::milliseconds{1};

// Without a clock that waits: a message takes this long to arrive, and in steps shorter than
// `kLong` members say at the beginning what they have.
constexpr Duration kMessage = std::chrono::milliseconds{6};
constexpr Duration kLong = std::chrono::milliseconds{10};

}  // namespace

void StepCommands::begin(std::int64_t step, WallInstant begin, Duration shortest) {
  step_ = step;
  begin_ = begin;
  end_ = begin + shortest;
  ended_ = false;
}

std::optional<std::int64_t> StepCommands::known(WallInstant now) const {
  return context_.clock.waits() ? settled() : arrived(now);
}

std::optional<std::int64_t> StepCommands::settled() const {
  const std::int64_t own = context_.world_ns(end_ - kDecidedBefore);
  const std::int64_t by = std::min(own, commands_.decided_limit(step_));
  const DecisionBoard decisions = context_.host.decisions();
  if (decisions.settled(context_.clock) <= context_.local(by)) return std::nullopt;
  if (commands_.complete() < decisions.commands_to(context_.world.rank(), message_.attempt)) {
    return std::nullopt;
  }
  return commands_.decided_by(by);
}

std::optional<std::int64_t> StepCommands::arrived(WallInstant now) const {
  if (end_ - begin_ < kLong) return commands_.complete();
  const WallInstant say_at = end_ - kAgreement;
  if (!ended_ && now < say_at) return std::nullopt;
  return commands_.decided_by(context_.world_ns(say_at - kMessage));
}

void StepCommands::end(WallInstant end) {
  ended_ = true;
  if (!context_.clock.waits() || end >= end_ - kAgreement) return;
  end_ = end;
  if (message_.slots.size() == 1) return;
  const CommandLimit limit{.attempt = message_.attempt,
                           .step = step_,
                           .decided_ns = context_.world_ns(end_ - kDecidedBefore)};
  for (const auto& slot : message_.slots) {
    const int rank = rank_of(slot.lane);
    if (rank != context_.world.rank()) context_.mailbox.send(rank, limit);
  }
}

}  // namespace mimus::emulator
