// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace mimus::scheduler {

/// A point per entry; all have as many coordinates.
using Points = std::vector<std::vector<double>>;

/// Every coordinate with mean 0 and standard deviation 1 over the points; 0 where all are equal.
[[nodiscard]] Points standardised(Points points);

/// Which of `k` clusters each point is in (Lloyd's algorithm), from 0 on. Distances are sums of
/// absolute differences, as in Horus+ (Yeung et al., TPDS 33(1), 2022). The first centre is the
/// first point, each further one the point furthest from all centres, and equal distances are the
/// lower index's: nothing is drawn. Fewer clusters where fewer points differ. Stops when no point
/// changes its cluster, or after `most` rounds. dlib's k-means has the Euclidean distance only.
[[nodiscard]] std::vector<int> k_means(const Points& points, int k, int most = 1000);

}  // namespace mimus::scheduler
