// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/host_ordered_collective.hpp"

namespace mimus::kernels {

/// All-reduces of one size, one after the other.
struct AllReduceSeries {
  Bytes size{};         ///< of a rank's buffer, as nccl-tests counts
  int warm_up = 0;      ///< left out at the beginning
  int count = 1;        ///< timed
  Duration deadline{};  ///< wall-time limit of each
};

/// Wall time of each timed operation on this rank, from the end of the previous one to its own end.
/// All members call it together. The rank polls without naps, because the link should be timed and
/// not a timer. Throws TimeoutError when an operation exceeds the deadline.
[[nodiscard]] std::vector<Duration> time_all_reduces(HostOrderedCollective& collective,
                                                     const AllReduceSeries& series);

}  // namespace mimus::kernels
