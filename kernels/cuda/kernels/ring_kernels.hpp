// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace mimus::kernels::cuda {

/// *Emulated*: the load of a ring all-reduce on one GPU without any other GPU. n − 1 steps copy and
/// add a chunk of S ÷ n bytes (reduce-scatter), n − 1 steps copy one (all-gather), each paced to
/// the link: the same thread blocks busy, the same memory traffic, the same duration. No byte
/// leaves the device, so contention for links is not included.
struct RingShape {
  std::int64_t elements = 0;  ///< fp32, S ÷ 4
  int ranks = 2;              ///< n
  unsigned ctas = 8;          ///< thread blocks, as NCCL's maxCTAs
  double bandwidth = 0.0;     ///< of the link [bytes/s]; 0: not paced
  double latency = 0.0;       ///< of each step [s]
};

/// Bytes over the link: 2·(n − 1)/n·S.
[[nodiscard]] double ring_bytes(const RingShape& shape);

/// Puts the emulated all-reduce of `data` on a stream. `buffer`, as long as `data`, represents the
/// incoming data. Sums are means of the two, so values keep their range in any number of steps.
void enqueue_ring(const RingShape& shape, float* data, float* buffer, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
