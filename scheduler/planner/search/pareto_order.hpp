// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// A point in the plane of two objectives.
struct Objectives {
  double cost = 0.0;     ///< less is better
  double utility = 0.0;  ///< more is better
};

/// The order of NSGA-II (Deb et al., IEEE Trans. Evol. Comput. 6(2), 2002), the best first: points
/// by the number of fronts that have to be removed until no other point dominates them; in a front
/// by crowding distance, the ends first, then those with the most room between their neighbours.
/// `points`: the least cost first, among equal costs the greatest utility; the first of them stays
/// first. Returns their indices.
[[nodiscard]] std::vector<std::size_t> pareto_order(std::span<const Objectives> points);

}  // namespace mimus::scheduler
