// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

/// The shared memory that a launch asks for.
extern __shared__ uint4 dynamic_shared[];

}  // namespace mimus::kernels::cuda
