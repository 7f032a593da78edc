// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/embedding_gradient_kernels.hpp"
#include "kernels/cuda/kernels/embedding_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

struct Lookup {
  const std::int64_t* places;
  std::int64_t rows, features;
  std::uint64_t entries;

  /// First element of the table row that index `row` selects.
  __device__ std::int64_t table_row(std::int64_t row) const {
    const auto place = static_cast<std::uint64_t>(places[row]) % entries;
    return static_cast<std::int64_t>(place) * features;
  }
};

constexpr int kWarp = 32;
constexpr std::int64_t kMostThreads = 256;

/// One block per row, however short the rows are, like PyTorch (IndexKernelUtils.cu,
/// vectorized_gather_kernel). Short rows then take 0.6 ns each on an H100, which is more than the
/// time of their bytes.
template <class T, int Width>
__global__ void __launch_bounds__(kMostThreads)
    embedding_gather(const T* table, T* values, Lookup lookup) {
  const std::int64_t row = blockIdx.x;
  const std::int64_t entry = lookup.table_row(row);
  for (std::int64_t feature = threadIdx.x * std::int64_t{Width}; feature < lookup.features;
       feature += blockDim.x * std::int64_t{Width}) {
    store(values + row * lookup.features + feature, load<Width>(table + entry + feature));
  }
}

template <class T, int Width>
void run_gather(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const Lookup lookup{regions.at<const std::int64_t>(shape.places), shape.rows, shape.features,
                      static_cast<std::uint64_t>(shape.entries)};
  const std::int64_t packs = shape.features / Width;
  const std::int64_t warps = (packs + kWarp - 1) / kWarp;
  const LaunchShape grid{
      .grid = static_cast<unsigned>(shape.rows),
      .block = static_cast<unsigned>(std::min<std::int64_t>(warps * kWarp, kMostThreads))};
  launch("embedding_gather", embedding_gather<T, Width>, grid, stream,
         regions.at<const T>(shape.table), regions.at<T>(shape.values), lookup);
}

}  // namespace

void enqueue(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves) {
  ensure(shape.entries > 0, "an embedding table has at least one entry");
  if (shape.rows == 0 || shape.features == 0) return;
  if (shape.function == Embedding::Function::scatter_add) {
    return enqueue_addition(shape, regions, stream, halves);
  }
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.features, [&](auto width) {
      run_gather<T, decltype(width)::value>(shape, regions, stream);
    });
  });
}

}  // namespace mimus::kernels::cuda
