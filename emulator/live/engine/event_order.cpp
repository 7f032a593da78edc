// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/event_order.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {

void EventOrder::add(WallInstant at, Envelope envelope) {
  for (const Heard& before : heard_) {
    if (before.envelope.source == envelope.source) at = std::max(at, before.at);
  }
  const auto key = [](const Heard& one) { return std::pair(one.at, one.envelope.source); };
  Heard heard{at, std::move(envelope)};
  const auto behind =
      std::upper_bound(heard_.begin(), heard_.end(), heard,
                       [&](const Heard& a, const Heard& b) { return key(a) < key(b); });
  heard_.insert(behind, std::move(heard));
}

WallInstant EventOrder::first() const {
  return heard_.empty() ? WallInstant::max() : heard_.front().at;
}

Envelope EventOrder::take_first() {
  Envelope first = std::move(heard_.front().envelope);
  heard_.pop_front();
  return first;
}

}  // namespace mimus::emulator
