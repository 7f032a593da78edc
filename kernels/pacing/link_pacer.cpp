// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_pacer.hpp"

#include <utility>

namespace mimus::kernels {

LinkPacer::LinkPacer(LinkBook& book, GangRoute route)
    : book_(book), route_(std::move(route)), channel_(book_.open(route_.channel)) {
  if (!route_.one_host) book_.quiet_until(channel_, WallInstant::max());
}

LinkPacer::~LinkPacer() {
  book_.close(channel_);
}

void LinkPacer::begin(WallInstant at, const SoloTime& solo) {
  ++number_;
  last_ = {};
  solo_ = solo.latency + solo.on_links;
  book_.announce(channel_, at, solo);
}

bool LinkPacer::advance(WallInstant now) {
  if (!last_.final) last_ = book_.look(channel_, number_, now);
  return last_.final && last_.end <= now;
}

void LinkPacer::quiet_until(WallInstant at) {
  book_.quiet_until(channel_, at);
}

/// A gang on several hosts is never waited for.
void LinkPacer::busy_from(WallInstant at) {
  if (route_.one_host) book_.busy_from(channel_.name, at);
}

}  // namespace mimus::kernels
