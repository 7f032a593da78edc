// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/all_reduce_timing.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"

namespace mimus::kernels::cuda {

/// All-reduces of fp32 in place in a buffer on `device`, behind each other on the collective's
/// stream; device time of each, from where the stream came to it. Waits for their end.
/// PeerLostError when one outlasts the collective's or the series' deadline.
[[nodiscard]] std::vector<Duration> time_all_reduces(StreamCollective& collective, int device,
                                                     const AllReduceSeries& series);

}  // namespace mimus::kernels::cuda
