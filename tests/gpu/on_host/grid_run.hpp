// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <functional>

/// Kernels that run on the host: the threads of a block take turns on one thread of the program,
/// each with a stack of its own, from one place where they wait for one another to the next.
namespace mimus::on_host {

inline constexpr unsigned kWarpThreads = 32;

/// What a kernel knows of itself.
struct Thread {
  uint3 thread, block;
  dim3 threads, blocks;
};
extern Thread current;

/// Calls `kernel` once per thread of the grid, one block after another. In every second block the
/// last thread comes first, so that a missing barrier shows. Shared memory begins as NaN.
[[nodiscard]] cudaError_t run_grid(dim3 grid, dim3 block, std::size_t shared_bytes,
                                   const std::function<void()>& kernel);

void wait_for_block();
void wait_for_warp();
/// What lane `lane` of the warp gives; all lanes call it.
[[nodiscard]] std::uint64_t exchanged(std::uint64_t value, unsigned lane);
[[nodiscard]] unsigned lane();

[[nodiscard]] uint4* dynamic_shared_memory();

/// Reports something that no device lets a kernel do, and ends the process.
[[noreturn]] void fail(const char* what);

}  // namespace mimus::on_host
