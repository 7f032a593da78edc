// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// The value of numbers of GPUs for a bidder: entry k, positive, is for k GPUs. More GPUs than the
/// last entry have no higher value.
using Valuation = std::vector<double>;

/// The partial allocation mechanism with hidden payments (Cole, Gkatzelis and Goel, EC'13), as
/// Themis' arbiter uses it (Mahajan et al., NSDI'20 §5.1). Bidders gain nothing by stating other
/// values than their true ones.
struct PartialAllocation {
  /// Proportionally fair: the numbers of GPUs that maximise the product of the values.
  std::vector<int> fair;
  /// The share c in (0, 1] of these that each bidder gets: the product of the others' values, over
  /// the product that they would have without this bidder. The rest is its payment, which no bidder
  /// gets.
  std::vector<double> shares;
};

/// Gives at most `gpus` GPUs, which count as identical. Exact, by dynamic programming: time grows
/// with the number of bidders × GPUs × entries of a valuation. Of several optima it takes one that
/// gives earlier bidders more.
[[nodiscard]] PartialAllocation partial_allocation(std::span<const Valuation> bidders, int gpus);

}  // namespace mimus::scheduler
