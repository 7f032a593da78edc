// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/cast_kernels.hpp"
#include "kernels/cuda/kernels/elementwise_kernels.cuh"
#include "kernels/cuda/kernels/grid.hpp"
#include "kernels/cuda/kernels/vector_access.cuh"

namespace mimus::kernels::cuda {
namespace {

constexpr int kWidth = 4;  ///< of a pack: 16 bytes of the wider type
/// PyTorch reads and writes packs where all types are the same, and narrows in packs. Its other
/// kernels of two types go element by element, four to a thread, with blocks of this size, and look
/// at each which type it has; so do these.
constexpr int kUnrolledThreads = 128;

/// The type of an operand as the kernel learns it when it runs.
struct Operand {
  const void* data;
  Arithmetic type;

  [[nodiscard]] __device__ float at(std::int64_t element) const {
    switch (type) {
      case Arithmetic::fp16:
        return to_float(static_cast<const __half*>(data)[element]);
      case Arithmetic::bf16:
        return to_float(static_cast<const __nv_bfloat16*>(data)[element]);
      default:
        return static_cast<const float*>(data)[element];
    }
  }
};

template <int Width, class Half>
__device__ void narrow_at(const float* from, Half* to, std::int64_t element) {
  const Pack<float, Width> in = load<Width>(from + element);
  Pack<Half, Width> out;
#pragma unroll
  for (int i = 0; i < Width; ++i) out.lane[i] = from_float<Half>(bounded(in.lane[i]));
  store(to + element, out);
}

/// Packs first, a thread each; what is left over at the end goes element by element.
template <class Body>
__device__ void for_packs(std::int64_t elements, Body body) {
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / kWidth;
#pragma unroll 2
  for (std::int64_t pack = first; pack < packs; pack += stride) {
    body(pack * kWidth, std::integral_constant<int, kWidth>{});
  }
  const std::int64_t rest = packs * kWidth + first;
  if (rest < elements) body(rest, std::integral_constant<int, 1>{});
}

template <class Half>
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_narrow(const float* from, Half* to, std::int64_t elements) {
  for_packs(elements,
            [&](std::int64_t at, auto width) { narrow_at<decltype(width)::value>(from, to, at); });
}

/// Calls body(element) for four elements of each thread, a block's width apart.
template <class Body>
__device__ void for_unrolled(std::int64_t elements, Body body) {
  const std::int64_t first = blockIdx.x * std::int64_t{kUnrolledThreads * kWidth} + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    const std::int64_t at = first + i * kUnrolledThreads;
    if (at < elements) body(at);
  }
}

__global__ void __launch_bounds__(kUnrolledThreads)
    elementwise_widen(Operand from, float* to, std::int64_t elements) {
  for_unrolled(elements, [&](std::int64_t at) { to[at] = bounded(from.at(at)); });
}

__global__ void __launch_bounds__(kUnrolledThreads)
    elementwise_mixed_add(Operand first, Operand second, float* sum, std::int64_t elements) {
  for_unrolled(elements, [&](std::int64_t at) {
    const float x[2] = {first.at(at), second.at(at)};
    sum[at] = bounded(Add::of(x));
  });
}

LaunchShape unrolled(std::int64_t elements) {
  constexpr std::int64_t kOfBlock = kUnrolledThreads * kWidth;
  return {.grid = static_cast<unsigned>((elements + kOfBlock - 1) / kOfBlock),
          .block = kUnrolledThreads};
}

void run_widening(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream,
                  Arithmetic halves) {
  const Operand first{regions.at<const void>(shape.in[0]), halves};
  auto* const out = regions.at<float>(shape.out);
  if (shape.function == Elementwise::Function::copy) {
    return launch("elementwise_widen", elementwise_widen, unrolled(shape.elements), stream, first,
                  out, shape.elements);
  }
  const Operand second{regions.at<const void>(shape.in[1]), Arithmetic::fp32};
  launch("elementwise_mixed_add", elementwise_mixed_add, unrolled(shape.elements), stream, first,
         second, out, shape.elements);
}

template <class Half>
void run_narrowing(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  launch("elementwise_narrow", elementwise_narrow<Half>,
         {.grid = streaming_blocks(shape.elements / kWidth + 1)}, stream,
         regions.at<const float>(shape.in[0]), regions.at<Half>(shape.out), shape.elements);
}

}  // namespace

void enqueue_mixed_widths(const Elementwise& shape, const RegionAddresses& regions,
                          cudaStream_t stream, Arithmetic halves) {
  using enum Elementwise::Function;
  ensure((shape.function == copy && shape.reads == 1) ||
             (shape.function == add && shape.reads == 2 && shape.bytes == kFloat),
         "only casts and sums in fp32 take operands of two widths");
  if (shape.bytes == kFloat) return run_widening(shape, regions, stream, halves);
  if (halves == Arithmetic::fp16) return run_narrowing<__half>(shape, regions, stream);
  run_narrowing<__nv_bfloat16>(shape, regions, stream);
}

}  // namespace mimus::kernels::cuda
