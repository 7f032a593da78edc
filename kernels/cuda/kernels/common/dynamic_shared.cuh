// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

/// The dynamic shared memory of a launch.
extern __shared__ uint4 dynamic_shared[];

}  // namespace mimus::kernels::cuda
