// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

/// Whether this block is the last one of its column of the grid to arrive here. It then sees what
/// the others have written before. For all threads of a block; `done` is zero at first, with one
/// number per column of the grid.
__device__ inline bool is_last_block(unsigned* done) {
  __shared__ bool last;
  __threadfence();  // what was written, before it is counted
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    last = atomicAdd(done + blockIdx.x, 1U) == gridDim.y - 1;
  }
  __syncthreads();
  if (last) __threadfence();  // the count, before the others' numbers are read
  return last;
}

}  // namespace mimus::kernels::cuda
