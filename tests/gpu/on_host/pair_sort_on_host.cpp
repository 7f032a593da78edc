// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// A replacement for CUB, which runs only on a device.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/cuda/kernels/common/pair_sort.hpp"

namespace mimus::kernels::cuda {

void sort_pairs(const Workspace&, const std::int64_t* keys, std::int64_t* sorted_keys,
                const std::int64_t* values, std::int64_t* sorted_values, std::int64_t pairs,
                cudaStream_t) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(pairs));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [keys](std::int64_t a, std::int64_t b) { return keys[a] < keys[b]; });
  std::transform(order.begin(), order.end(), sorted_keys, [&](std::int64_t i) { return keys[i]; });
  std::transform(order.begin(), order.end(), sorted_values,
                 [&](std::int64_t i) { return values[i]; });
}

void find_runs(const Workspace&, const std::int64_t* sorted_keys, std::int64_t* distinct,
               std::int64_t* begins, std::int64_t* count, std::int64_t keys, cudaStream_t) {
  *count = 0;
  for (std::int64_t i = 0; i < keys; ++i) {
    if (i > 0 && sorted_keys[i] == sorted_keys[i - 1]) continue;
    distinct[*count] = sorted_keys[i];
    begins[(*count)++] = i;
  }
}

void add_before(const Workspace&, const std::int64_t* values, std::int64_t* sums,
                std::int64_t elements, cudaStream_t) {
  std::exclusive_scan(values, values + elements, sums, std::int64_t{0});
}

}  // namespace mimus::kernels::cuda
