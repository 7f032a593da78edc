// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/all_reduce_timing.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"

namespace mimus::kernels::cuda {

/// Runs all-reduces of fp32 in place in a buffer on `device`, one after another on the collective's
/// stream, and waits for their end. Returns the device time of each, from the point where the
/// stream reached it. Throws PeerLostError when one exceeds the collective's or the series'
/// deadline.
[[nodiscard]] std::vector<Duration> time_all_reduces(StreamCollective& collective, int device,
                                                     const AllReduceSeries& series);

}  // namespace mimus::kernels::cuda
