// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace mimus::kernels::cuda {

/// Memory that a library's kernels work in.
struct Workspace {
  void* memory = nullptr;
  std::int64_t bytes = 0;
};

// On int64 arrays in device memory, by CUB. LibraryError if CUB refuses or the workspace is too
// small.

/// Sorts pairs by key; equal keys keep their order.
void sort_pairs(const Workspace& workspace, const std::int64_t* keys, std::int64_t* sorted_keys,
                const std::int64_t* values, std::int64_t* sorted_values, std::int64_t pairs,
                cudaStream_t stream);

/// For sorted keys: where each distinct one begins, and their number.
void find_runs(const Workspace& workspace, const std::int64_t* sorted_keys, std::int64_t* distinct,
               std::int64_t* begins, std::int64_t* count, std::int64_t keys, cudaStream_t stream);

/// sums[i] = values[0] + … + values[i − 1].
void add_before(const Workspace& workspace, const std::int64_t* values, std::int64_t* sums,
                std::int64_t elements, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
