// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::emulator {

/// Something of limited capacity that flows share.
struct SharedLink {
  double capacity = 0.0;
  std::vector<std::size_t> flows;  ///< indices of those that cross it, ascending
};

/// Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, 1992, §6.5.2):
/// all rates grow together; a flow stops at its demand or when a link on its way is full. No flow
/// can get more without taking from one that has no more than it. Demands and capacities are > 0
/// and of one unit. A flow's rate depends on nothing but the flows and links that it is connected
/// with, to the last bit.
[[nodiscard]] std::vector<double> max_min_rates(std::span<const double> demands,
                                                std::span<const SharedLink> links);

}  // namespace mimus::emulator
