// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/elementwise/rearrange_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kOfThread = 4;

/// The shape as run-time values, so that the compiler cannot optimise the divisions away.
struct Runs {
  unsigned elements, side;
};

/// Place is the type of an element's index. 32 bits are used if they suffice, because divisions
/// take most of the time.
template <class Place>
__device__ Place source_of(Place element, const Runs& runs, Place whole) {
  if (element >= whole) return element;
  const Place run = element / runs.elements;
  const Place line = run / runs.side;
  const Place block = line / runs.side;
  const Place column = run - line * runs.side;
  const Place row = line - block * runs.side;
  const Place from = (block * runs.side + column) * runs.side + row;
  return from * runs.elements + (element - run * runs.elements);
}

template <class T, class Place>
__global__ void __launch_bounds__(kThreads)
    elementwise_rearrange(const T* in, T* out, Runs runs, Place whole, Place elements) {
  const Place first = blockIdx.x * Place{kThreads * kOfThread} + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    const Place at = first + i * kThreads;
    if (at < elements) {
      out[at] = from_float<T>(bounded(to_float(in[source_of(at, runs, whole)])));
    }
  }
}

}  // namespace

template <class T>
void enqueue_rearrange(const Elementwise& shape, const RegionAddresses& regions,
                       cudaStream_t stream) {
  constexpr std::int64_t kBlock = kRearrangedRuns * kRearrangedRuns * kRunElements;
  constexpr std::int64_t kOfGrid = kThreads * kOfThread;
  const auto blocks = static_cast<unsigned>((shape.elements + kOfGrid - 1) / kOfGrid);
  const LaunchShape grid{.grid = blocks, .block = kThreads};
  const auto run = [&](auto place) {
    using Place = decltype(place);
    launch("elementwise_rearrange", elementwise_rearrange<T, Place>, grid, stream,
           regions.at<const T>(shape.in[0]), regions.at<T>(shape.out),
           Runs{kRunElements, kRearrangedRuns},
           static_cast<Place>(shape.elements / kBlock * kBlock),
           static_cast<Place>(shape.elements));
  };
  // The last block computes indices beyond the last element.
  if (shape.elements <= std::numeric_limits<unsigned>::max() - kOfGrid) return run(0U);
  run(std::uint64_t{0});
}

template void enqueue_rearrange<float>(const Elementwise&, const RegionAddresses&, cudaStream_t);
template void enqueue_rearrange<__half>(const Elementwise&, const RegionAddresses&, cudaStream_t);
template void enqueue_rearrange<__nv_bfloat16>(const Elementwise&, const RegionAddresses&,
                                               cudaStream_t);

}  // namespace mimus::kernels::cuda
