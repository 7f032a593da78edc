// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_gathering.hpp"

#include <algorithm>

namespace mimus::emulator {
namespace {

/// Gatherings of an attempt come with its start, end and commands, not with its steps.
constexpr std::int64_t kWordsPerAttempt = std::int64_t{1} << 24;

bool share_a_host(const WorkerContext& context, const std::vector<scheduler::Slot>& slots) {
  return std::all_of(slots.begin(), slots.end(), [&](const scheduler::Slot& slot) {
    const auto rank = static_cast<std::size_t>(rank_of(slot.lane));
    return context.host.hosts()[rank] == context.host.own_host();
  });
}

}  // namespace

GangGathering::GangGathering(WorkerContext& context, const StartMessage& message)
    : context_(context),
      message_(message),
      applies_(context.clock.waits() && share_a_host(context, message.slots)) {}

std::int64_t GangGathering::word(Place place) const {
  return message_.attempt * kWordsPerAttempt + 2 * number_ + static_cast<std::int64_t>(place);
}

void GangGathering::arrive() {
  ++number_;
  if (!applies_) return;
  context_.host.own_status().gathering = word(Place::arrived);
  came_last_ = is_complete();
}

bool GangGathering::is_complete() const {
  if (!applies_) return false;
  const auto statuses = context_.host.statuses();
  return std::all_of(message_.slots.begin(), message_.slots.end(), [&](const auto& slot) {
    const std::int64_t other = statuses[static_cast<std::size_t>(rank_of(slot.lane))].gathering;
    return other >= word(Place::arrived) && other / kWordsPerAttempt == message_.attempt;
  });
}

bool GangGathering::have_gone_on() const {
  const auto statuses = context_.host.statuses();
  return std::none_of(message_.slots.begin(), message_.slots.end(), [&](const auto& slot) {
    return statuses[static_cast<std::size_t>(rank_of(slot.lane))].gathering == word(Place::arrived);
  });
}

void GangGathering::go_on(WallInstant at, const std::function<void()>& wait) {
  if (!applies_) return;
  context_.clock.promise(at);
  context_.host.own_status().gathering = word(Place::gone_on);
  while (came_last_ && !have_gone_on()) wait();
}

}  // namespace mimus::emulator
