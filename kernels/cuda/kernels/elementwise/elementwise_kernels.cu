// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/elementwise/cast_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/dropout_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/elementwise_kernels.cuh"
#include "kernels/cuda/kernels/elementwise/elementwise_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/rearrange_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class T, int Reads>
struct Operands {
  const T* in[Reads];
  T* out;
};

template <class Function, class T, int Reads, int Width>
__device__ Pack<T, Width> apply(const Pack<T, Width> (&in)[Reads]) {
  Pack<T, Width> out;
#pragma unroll
  for (int lane = 0; lane < Width; ++lane) {
    float x[Reads];
#pragma unroll
    for (int i = 0; i < Reads; ++i) x[i] = to_float(in[i].lane[lane]);
    out.lane[lane] = from_float<T>(bounded(Function::of(x)));
  }
  return out;
}

template <class Function, int Width, class T, int Reads>
__device__ void apply_at(const Operands<T, Reads>& operands, std::int64_t element) {
  Pack<T, Width> in[Reads];
#pragma unroll
  for (int i = 0; i < Reads; ++i) in[i] = load<Width>(operands.in[i] + element);
  store(operands.out + element, apply<Function>(in));
}

/// Each thread has two packs of every operand in flight. The remainder at the end goes element by
/// element. `out` may be one of the inputs, because a thread reads an element before it writes it.
template <class Function, class T, int Reads>
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_map(Operands<T, Reads> operands, std::int64_t elements) {
  constexpr int kWidth = kVector<T>;
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / kWidth;
  std::int64_t pack = first;
  for (; pack + stride < packs; pack += 2 * stride) {
    Pack<T> near[Reads];
    Pack<T> far[Reads];
#pragma unroll
    for (int i = 0; i < Reads; ++i) {
      near[i] = load<kWidth>(operands.in[i] + pack * kWidth);
      far[i] = load<kWidth>(operands.in[i] + (pack + stride) * kWidth);
    }
    store(operands.out + pack * kWidth, apply<Function>(near));
    store(operands.out + (pack + stride) * kWidth, apply<Function>(far));
  }
  if (pack < packs) apply_at<Function, kWidth>(operands, pack * kWidth);
  const std::int64_t rest = packs * kWidth + first;
  if (rest < elements) apply_at<Function, 1>(operands, rest);
}

/// Copies 4-byte elements bit by bit, in units of 16 bytes.
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_copy(const std::byte* in, std::byte* out, std::int64_t bytes) {
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = bytes / 16;
  const auto* from = reinterpret_cast<const uint4*>(in);
  auto* to = reinterpret_cast<uint4*>(out);
  std::int64_t pack = first;
  for (; pack + stride < packs; pack += 2 * stride) {
    const uint4 near = from[pack];
    const uint4 far = from[pack + stride];
    to[pack] = near;
    to[pack + stride] = far;
  }
  if (pack < packs) to[pack] = from[pack];
  if (packs * 16 + first < bytes) out[packs * 16 + first] = in[packs * 16 + first];
}

/// Values in [0.1, 1) that differ, because a device takes less power on equal values. They are
/// multiples of the golden ratio modulo 1 (Knuth, TAOCP 3, section 6.4).
__device__ float fill_value(std::int64_t element) {
  const std::uint32_t bits = static_cast<std::uint32_t>(element) * 2654435769U;
  return 0.1F + 0.899F * static_cast<float>(bits >> 8U) * 0x1p-24F;
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads) elementwise_fill(T* out, std::int64_t elements) {
  constexpr int kWidth = kVector<T>;
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / kWidth;
  for (std::int64_t pack = first; pack < packs; pack += stride) {
    Pack<T> values;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      values.lane[i] = from_float<T>(fill_value(pack * kWidth + i));
    }
    store(out + pack * kWidth, values);
  }
  const std::int64_t rest = packs * kWidth + first;
  if (rest < elements) out[rest] = from_float<T>(fill_value(rest));
}

template <class Function, class T, int Reads>
void run_map(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  Operands<T, Reads> operands{};
  for (std::size_t i = 0; i < Reads; ++i) operands.in[i] = regions.at<const T>(shape.in[i]);
  operands.out = regions.at<T>(shape.out);
  const unsigned blocks = streaming_blocks(shape.elements / kVector<T> + 1);
  launch("elementwise_map", elementwise_map<Function, T, Reads>, {.grid = blocks}, stream, operands,
         shape.elements);
}

template <class Function, class T>
void run_reads(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  switch (shape.reads) {
    case 1:
      return run_map<Function, T, 1>(shape, regions, stream);
    case 2:
      return run_map<Function, T, 2>(shape, regions, stream);
    case 3:
      return run_map<Function, T, 3>(shape, regions, stream);
    default:
      ensure(false, "an elementwise kernel reads 0 to 3 tensors");
  }
}

template <class T>
void run_function(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Elementwise::Function;
  switch (shape.function) {
    case copy:
    case add:
      return run_reads<Add, T>(shape, regions, stream);
    case scale:
      return run_reads<Unary<Scale>, T>(shape, regions, stream);
    case relu:
      return run_reads<Unary<Relu>, T>(shape, regions, stream);
    case leaky_relu:
      return run_reads<Unary<LeakyRelu>, T>(shape, regions, stream);
    case hardtanh:
      return run_reads<Unary<HardTanh>, T>(shape, regions, stream);
    case sigmoid:
      return run_reads<Unary<Sigmoid>, T>(shape, regions, stream);
    case gelu:
      return run_reads<Unary<Gelu>, T>(shape, regions, stream);
    case multiply:
      return run_reads<Multiply, T>(shape, regions, stream);
    case activation_gradient:
      return run_reads<ActivationGradient, T>(shape, regions, stream);
    case rearrange:
    case dropout:
    case dropout_gradient:
    case fill:
      break;
  }
  ensure(false, "an elementwise kernel of this function reads nothing");
}

void run_copy(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const std::int64_t bytes = shape.elements * shape.bytes;
  launch("elementwise_copy", elementwise_copy, {.grid = streaming_blocks(bytes / 16 + 1)}, stream,
         regions.at<const std::byte>(shape.in[0]), regions.at<std::byte>(shape.out), bytes);
}

template <class T>
void run_fill(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const unsigned blocks = streaming_blocks(shape.elements / kVector<T> + 1);
  launch("elementwise_fill", elementwise_fill<T>, {.grid = blocks}, stream,
         regions.at<T>(shape.out), shape.elements);
}

}  // namespace

void enqueue(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves) {
  using enum Elementwise::Function;
  if (shape.elements == 0) return;
  if (shape.bytes_of_first() != shape.bytes) {
    return enqueue_mixed_widths(shape, regions, stream, halves);
  }
  // Elements of 2 bytes may be halves of fp32 numbers, and some of these are NaN as bf16. They go
  // through the map, whose traffic is the same.
  if (shape.function == copy && shape.reads == 1 && shape.bytes == kFloat) {
    return run_copy(shape, regions, stream);
  }
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    if (shape.function == rearrange) return enqueue_rearrange<T>(shape, regions, stream);
    if (shape.function == dropout) return enqueue_dropout<T>(shape, regions, stream);
    if (shape.function == dropout_gradient) {
      return enqueue_dropout_gradient<T>(shape, regions, stream);
    }
    if (shape.function == fill || shape.reads == 0) return run_fill<T>(shape, regions, stream);
    run_function<T>(shape, regions, stream);
  });
}

}  // namespace mimus::kernels::cuda
