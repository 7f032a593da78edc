// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/random.hpp"

namespace mimus::scheduler {

/// A data set as ROBUS sees it.
struct View {
  double size = 0.0;             ///< at most the capacity
  std::vector<double> benefits;  ///< to each tenant, if it is resident
};

/// Numbers of views that fit together, ascending.
using ViewSet = std::vector<std::size_t>;

/// Sets of views that fit into `capacity`, none of which contains another. With up to twelve views
/// these are all such sets. Otherwise they are the most valuable ones for `draws` random weightings
/// of the tenants and for each tenant alone, as found by filling the capacity by value per byte
/// (FASTPF, Kunjir et al., SIGMOD'17). Each tenant's benefits are relative to the best that it
/// could have. At least one set.
[[nodiscard]] std::vector<ViewSet> view_sets(const std::vector<View>& views, double capacity,
                                             int draws, RandomStream random);

}  // namespace mimus::scheduler
