// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/search/halving.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

/// Of ascending values, by linear interpolation (type 7 of Hyndman & Fan 1996).
double quantile_of(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace

Halving::Halving(const Settings& settings) : kept_(1.0 / settings.reduction) {
  ensure(settings.first_rung > 0.0 && settings.reduction > 1.0, "rungs ascend from above zero");
  for (double rung = settings.first_rung; rung < 1.0; rung *= settings.reduction) {
    rungs_.push_back(rung);
  }
  losses_.resize(rungs_.size());
}

bool Halving::goes_on(std::size_t rung, double loss) {
  std::vector<double>& losses = losses_.at(rung);
  const bool good = losses.empty() || loss <= quantile_of(losses, kept_);
  losses.insert(std::ranges::upper_bound(losses, loss), loss);
  return good;
}

}  // namespace mimus::workloads
