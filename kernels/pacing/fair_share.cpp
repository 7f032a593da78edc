// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/fair_share.hpp"

#include <algorithm>

namespace mimus::kernels {

/// Those that can use least are satisfied first.
void FairShare::divide() {
  const auto less = [](const Demand& a, const Demand& b) { return a.load < b.load; };
  if (!std::is_sorted(demands_.begin(), demands_.end(), less)) {
    std::stable_sort(demands_.begin(), demands_.end(), less);
  }
  left_ = 1.0;
  among_ = 0.0;
  for (const Demand& demand : demands_) among_ += demand.presence;
  for (const Demand& demand : demands_) {
    if (demand.load * among_ > left_) return;
    left_ -= demand.load * demand.presence;
    among_ -= demand.presence;
  }
  among_ = 0.0;
}

double FairShare::stretch(double load) const {
  return among_ > 0.0 ? std::max(1.0, load * among_ / left_) : 1.0;
}

}  // namespace mimus::kernels
