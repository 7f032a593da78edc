// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_pacer.hpp"

#include <algorithm>

namespace mimus::kernels {

LinkPacer::LinkPacer(Ledger& ledger, GangRoute route) : ledger_(ledger), route_(std::move(route)) {}

LinkPacer::~LinkPacer() {
  if (active_) occupy(-1);
}

void LinkPacer::begin(WallInstant at, Duration solo) {
  active_ = true;
  position_ = at;
  remaining_ = solo;
  occupy(+1);
  last_share_ = share();
}

bool LinkPacer::advance(WallInstant now) {
  // The share seen at the last call held since then: others come and go between two calls, which
  // are a fraction of a millisecond apart while a transfer is under way.
  if (now > position_) {
    const Duration possible = scale(now - position_, last_share_);
    if (possible >= remaining_) {
      position_ += scale(remaining_, 1.0 / last_share_);
      remaining_ = Duration{};
    } else {
      remaining_ -= possible;
      position_ = now;
    }
  }
  if (remaining_ > Duration{}) {
    last_share_ = share();
    return false;
  }
  occupy(-1);
  active_ = false;
  return true;
}

WallInstant LinkPacer::predicted_end() const {
  return position_ + scale(remaining_, 1.0 / last_share_);
}

double LinkPacer::share() const {
  std::int32_t most = 1;
  for (const int gpu : route_.gpus) most = std::max(most, ledger_.gpu_flows(gpu).load());
  for (const int node : route_.nodes) most = std::max(most, ledger_.uplink_flows(node).load());
  return 1.0 / most;
}

void LinkPacer::occupy(int change) noexcept {
  ledger_.gpu_flows(route_.own_gpu).fetch_add(change);
  if (route_.own_uplink) ledger_.occupy_uplink(route_.own_gpu, *route_.own_uplink, change);
}

}  // namespace mimus::kernels
