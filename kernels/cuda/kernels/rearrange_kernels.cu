// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/grid.hpp"
#include "kernels/cuda/kernels/rearrange_kernels.hpp"
#include "kernels/cuda/kernels/vector_access.cuh"

namespace mimus::kernels::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kOfThread = 4;

/// The shape as numbers that the compiler does not know, so that divisions stay divisions.
struct Runs {
  unsigned elements, side;
};

__device__ std::int64_t source_of(std::int64_t element, const Runs& runs, std::int64_t whole) {
  if (element >= whole) return element;
  const auto place = static_cast<unsigned long long>(element);
  const unsigned long long run = place / runs.elements;
  const unsigned long long line = run / runs.side;
  const unsigned long long block = line / runs.side;
  const unsigned long long column = run - line * runs.side;
  const unsigned long long row = line - block * runs.side;
  const unsigned long long from = (block * runs.side + column) * runs.side + row;
  return static_cast<std::int64_t>(from * runs.elements + (place - run * runs.elements));
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    elementwise_rearrange(const T* in, T* out, Runs runs, std::int64_t whole,
                          std::int64_t elements) {
  const std::int64_t first = blockIdx.x * std::int64_t{kThreads * kOfThread} + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    const std::int64_t at = first + i * kThreads;
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
  launch("elementwise_rearrange", elementwise_rearrange<T>, {.grid = blocks, .block = kThreads},
         stream, regions.at<const T>(shape.in[0]), regions.at<T>(shape.out),
         Runs{kRunElements, kRearrangedRuns}, shape.elements / kBlock * kBlock, shape.elements);
}

template void enqueue_rearrange<float>(const Elementwise&, const RegionAddresses&, cudaStream_t);
template void enqueue_rearrange<__half>(const Elementwise&, const RegionAddresses&, cudaStream_t);
template void enqueue_rearrange<__nv_bfloat16>(const Elementwise&, const RegionAddresses&,
                                               cudaStream_t);

}  // namespace mimus::kernels::cuda
