// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <string>
#include <thrust/iterator/counting_iterator.h>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/pair_sort.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// `call(memory, bytes)` first returns how much memory it needs and then uses it.
template <class Call>
void in_workspace(const char* name, const Workspace& workspace, Call call) {
  std::size_t bytes = 0;
  check_cuda(call(nullptr, bytes), name);
  ensure(static_cast<std::int64_t>(bytes) <= workspace.bytes,
         std::string(name) + " takes " + std::to_string(bytes) + " bytes of a workspace of " +
             std::to_string(workspace.bytes));
  check_cuda(call(workspace.memory, bytes), name);
}

}  // namespace

void sort_pairs(const Workspace& workspace, const std::int64_t* keys, std::int64_t* sorted_keys,
                const std::int64_t* values, std::int64_t* sorted_values, std::int64_t pairs,
                cudaStream_t stream) {
  constexpr int kBits = 64;
  in_workspace("cub::DeviceRadixSort::SortPairs", workspace, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, values, sorted_values,
                                           pairs, 0, kBits, stream);
  });
}

void find_runs(const Workspace& workspace, const std::int64_t* sorted_keys, std::int64_t* distinct,
               std::int64_t* begins, std::int64_t* count, std::int64_t keys, cudaStream_t stream) {
  const thrust::counting_iterator<std::int64_t> numbers(0);
  in_workspace("cub::DeviceSelect::UniqueByKey", workspace, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::UniqueByKey(memory, bytes, sorted_keys, numbers, distinct, begins,
                                          count, keys, stream);
  });
}

void add_before(const Workspace& workspace, const std::int64_t* values, std::int64_t* sums,
                std::int64_t elements, cudaStream_t stream) {
  in_workspace("cub::DeviceScan::ExclusiveSum", workspace, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, values, sums, elements, stream);
  });
}

}  // namespace mimus::kernels::cuda
