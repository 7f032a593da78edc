// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "kernels/cuda/kernels/embedding_gradient_kernels.hpp"
#include "kernels/cuda/kernels/embedding_kernels.hpp"
#include "kernels/cuda/kernels/grid.hpp"
#include "kernels/cuda/kernels/vector_access.cuh"

namespace mimus::kernels::cuda {
namespace {

struct Lookup {
  const std::int64_t* places;
  std::int64_t rows, features;
  std::uint64_t entries;

  /// First element of the table's row that the vector names.
  __device__ std::int64_t table_row(std::int64_t row) const {
    const auto place = static_cast<std::uint64_t>(places[row]) % entries;
    return static_cast<std::int64_t>(place) * features;
  }
};

/// Calls `body` with the elements of table and values at which the packs of this thread begin.
/// Threads along x share a row, those along y have rows of their own.
template <int Width, class Body>
__device__ void for_packs(const Lookup& lookup, Body body) {
  const std::int64_t step = gridDim.x * std::int64_t{blockDim.y};
  for (std::int64_t row = blockIdx.x * std::int64_t{blockDim.y} + threadIdx.y; row < lookup.rows;
       row += step) {
    const std::int64_t entry = lookup.table_row(row);
    const std::int64_t value = row * lookup.features;
#pragma unroll 4
    for (std::int64_t feature = threadIdx.x * std::int64_t{Width}; feature < lookup.features;
         feature += blockDim.x * std::int64_t{Width}) {
      body(entry + feature, value + feature);
    }
  }
}

template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    embedding_gather(const T* table, T* values, Lookup lookup) {
  for_packs<Width>(lookup, [&](std::int64_t from, std::int64_t to) {
    store(values + to, load<Width>(table + from));
  });
}

template <class T, int Width>
void run_gather(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const Lookup lookup{regions.at<const std::int64_t>(shape.places), shape.rows, shape.features,
                      static_cast<std::uint64_t>(shape.entries)};
  const auto packs = static_cast<std::uint64_t>(shape.features / Width);
  const auto lanes = static_cast<unsigned>(std::min<std::uint64_t>(32, std::bit_ceil(packs)));
  const dim3 block(lanes, static_cast<unsigned>(kBlockThreads) / lanes);
  const LaunchShape grid{.grid = streaming_blocks(shape.rows * lanes), .block = block};
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
