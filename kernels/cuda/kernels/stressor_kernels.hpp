// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace mimus::kernels::cuda {

/// The load of one contention channel, through which co-located jobs slow each other. A stressor
/// loads one channel and leaves the others alone as far as possible, so the slowdown of a job
/// beside it is the job's sensitivity to that channel.
struct StressorLoad {
  unsigned blocks = 0;          ///< thread blocks; 0: as many as the device holds
  std::int64_t bytes = 0;       ///< working set of the memory channels
  std::int64_t iterations = 1;  ///< number of passes over the working set, or of runs of the chain
};

/// The work of a launch, so that a rate follows from its duration.
struct StressorWork {
  double flop = 0.0;
  double bytes = 0.0;  ///< read and written in the channel's memory or over its link
  double launches = 0.0;
};

/// Chains of fused multiply-adds on registers: the fp32 pipelines. `sink` is one float of device
/// memory that keeps the compiler from removing the chains; it is written only for values that do
/// not occur. x ← x/2 + 1/2 tends to 1 from every start.
StressorWork stress_fma(const StressorLoad& load, float* sink, cudaStream_t stream);
/// Products of 16 × 16 tiles in fp16 on registers: the tensor cores. The sum is multiplied by tiles
/// of 1/32 again and so stays at the same value.
StressorWork stress_tensor_cores(const StressorLoad& load, float* sink, cudaStream_t stream);
/// Copies the first half of `load.bytes` at `data` to the second: DRAM bandwidth, if the bytes are
/// several times the second-level cache.
StressorWork stress_dram(const StressorLoad& load, std::byte* data, cudaStream_t stream);
/// Reads `load.bytes` at `data` repeatedly, bypassing the first-level cache: second-level cache
/// bandwidth, if they fit into it (half of it is a good choice).
StressorWork stress_l2(const StressorLoad& load, std::byte* data, float* sink, cudaStream_t stream);
/// Reads and writes words of shared memory without bank conflicts.
StressorWork stress_shared_memory(const StressorLoad& load, float* sink, cudaStream_t stream);
/// `load.iterations` launches of one block that does nothing: the path from host to block
/// scheduler.
StressorWork stress_launches(const StressorLoad& load, float* sink, cudaStream_t stream);
/// Copies `load.bytes` from pinned host memory to the device and back.
StressorWork stress_pcie(const StressorLoad& load, std::byte* pinned, std::byte* data,
                         cudaStream_t stream);

}  // namespace mimus::kernels::cuda
