// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace mimus::scheduler {

/// One point per entry; all have the same number of coordinates.
using Points = std::vector<std::vector<double>>;

/// Scales every coordinate to mean 0 and standard deviation 1 over the points; to 0 if all are
/// equal.
[[nodiscard]] Points standardised(Points points);

/// The cluster of each point, from 0 to `k` − 1 (Lloyd's algorithm). Distances are sums of absolute
/// differences, as in Horus+ (Yeung et al., TPDS 33(1), 2022). The first centre is the first point,
/// each further one the point furthest from all centres, and among equal distances the lower index
/// wins: nothing is drawn at random. There are fewer clusters if fewer points differ. Stops when no
/// point changes its cluster, or after `most` rounds. dlib's k-means only has the Euclidean
/// distance.
[[nodiscard]] std::vector<int> k_means(const Points& points, int k, int most = 1000);

}  // namespace mimus::scheduler
