// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace mimus::emulator {

/// A gang that reads over links: so much at most, alike by each of its replicas. [B/s]
struct ReadDemand {
  double rate = 0.0;
  std::vector<std::pair<NodeId, int>> replicas;  ///< on each of its nodes, ascending
};

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// The rates of all gangs on `storage`, which all read from, and on the links of their nodes, of
/// `node_link` each [B/s; kNoLimit: none]. Max-min fair by replicas, like all links: all rates rise
/// together until a link is full or a gang has what it requests, and the others rise on (Bertsekas
/// and Gallager, Data Networks, 1992, §6.5.2).
[[nodiscard]] std::vector<double> fair_rates(std::span<const ReadDemand> demands, double storage,
                                             double node_link);

}  // namespace mimus::emulator
