// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/ces_rule.hpp"

#include <algorithm>
#include <numeric>

namespace mimus::scheduler {

CesRule::CesRule(const Settings& settings, int nodes)
    : settings_(settings), nodes_(nodes), active_(nodes) {}

bool CesRule::meet(int used) {
  if (warming_up() || active_ >= std::min(used, nodes_)) return false;
  active_ = std::min(nodes_, used + settings_.buffer);
  hold_ = step_ + settings_.keep;
  return true;
}

void CesRule::end_step(int used, const Forecast& forecast) {
  if (warming_up()) {
    active_ = std::min(nodes_, used + settings_.buffer);
  } else if (!meet(used) && step_ >= hold_ && falls(used, forecast)) {
    save(used, forecast);
  }
  recent_.push_back(used);
  if (recent_.size() > static_cast<std::size_t>(settings_.history)) recent_.pop_front();
  ++step_;
}

bool CesRule::has_used_just(int used) const {
  return recent_.size() == static_cast<std::size_t>(settings_.history) &&
         std::all_of(recent_.begin(), recent_.end(), [&](int before) { return before == used; });
}

bool CesRule::falls(int used, const Forecast& forecast) const {
  if (recent_.size() < static_cast<std::size_t>(settings_.history)) return false;
  const double before = std::accumulate(recent_.begin(), recent_.end(), 0.0) / settings_.history;
  return before - used >= settings_.drop &&
         used - forecast(settings_.future) >= settings_.future_drop;
}

void CesRule::save(int used, const Forecast& forecast) {
  hold_ = step_;
  // Demand that turns up again later would wake the nodes that are switched off now.
  if (forecast(settings_.future) < forecast(2 * settings_.future)) return;
  const int spare = active_ - std::min(active_, used + settings_.buffer);
  if (spare >= settings_.least) active_ -= spare;
}

}  // namespace mimus::scheduler
