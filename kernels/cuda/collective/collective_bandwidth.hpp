// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {

/// The speed of an operation of a gang, in the two ways that nccl-tests reports.
struct CollectiveBandwidth {
  BytesPerSecond algorithm{};  ///< size ÷ time
  /// The traffic of the links, comparable between operations and gang sizes: algorithm × 2(n−1)/n
  /// for all-reduce, × (n−1)/n for all-gather, reduce-scatter and all-to-all, × 1 for broadcast,
  /// send/recv and transfer (nccl-tests, doc/PERFORMANCE.md).
  BytesPerSecond bus{};
};

/// `size` as in nccl-tests: the larger of a rank's two buffers. Zero if there is no time.
[[nodiscard]] CollectiveBandwidth collective_bandwidth(CollectiveOp op, Bytes size, int replicas,
                                                       Duration time);

}  // namespace mimus::kernels
