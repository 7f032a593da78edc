// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

/// Shared memory of a block: the rows that it works on, as they lie in memory.
extern __shared__ uint4 row_cache[];

}  // namespace mimus::kernels::cuda
