// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

namespace mimus::kernels::cuda {

/// Threads of a block of every streaming kernel.
inline constexpr int kBlockThreads = 256;

/// The arguments between the angle brackets of a launch.
struct LaunchShape {
  dim3 grid{1};
  dim3 block{kBlockThreads};
  std::size_t shared_bytes = 0;
};

}  // namespace mimus::kernels::cuda
