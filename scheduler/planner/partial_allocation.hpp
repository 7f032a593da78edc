// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// What numbers of GPUs are worth to a bidder: entry k, positive, is of k GPUs. More than the last
/// entry says are worth no more.
using Valuation = std::vector<double>;

/// The partial allocation mechanism with hidden payments (Cole, Gkatzelis and Goel, EC'13), as
/// Themis' arbiter uses it (Mahajan et al., NSDI'20 §5.1): bidders that say what GPUs are worth to
/// them have nothing to gain by saying otherwise.
struct PartialAllocation {
  /// Proportionally fair: the numbers of GPUs that maximise the product of the values.
  std::vector<int> fair;
  /// Of these the share c in (0, 1] that each bidder gets: what the others' values multiply to,
  /// over what they would multiply to without this bidder. The rest is its payment; no bidder gets
  /// it.
  std::vector<double> shares;
};

/// Gives at most `gpus` GPUs, as if they were all alike. Exact, by dynamic programming: time grows
/// with the number of bidders × GPUs × entries of a valuation. Of several optima one that gives
/// earlier bidders more.
[[nodiscard]] PartialAllocation partial_allocation(std::span<const Valuation> bidders, int gpus);

}  // namespace mimus::scheduler
