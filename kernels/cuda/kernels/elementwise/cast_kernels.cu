// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/elementwise/cast_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/elementwise_kernels.cuh"

namespace mimus::kernels::cuda {
namespace {

constexpr int kWidth = 4;  ///< of a pack: 16 bytes of the wider type
/// PyTorch uses packs where all types are the same, and for narrowing casts. Its other kernels with
/// two types go element by element, four elements per thread, with blocks of this size. They check
/// the type at each element, so a thread waits for one element before it reads the next. The
/// registers of PyTorch's kernel limit the number of blocks per multiprocessor. Here the shared
/// memory that the kernel asks for does, at twelve blocks. On an H100, nine blocks were a quarter
/// slower than PyTorch's kernel, and sixteen blocks without the wait a fifth faster.
constexpr int kUnrolledThreads = 128;
constexpr std::size_t kSharedOfTwelfth = 17 << 10;

/// Types that an operand may have, including types that no tensor of Mimus has. The number of types
/// makes the check slow: it becomes a jump to an address that is read from a table.
enum class Stored : int {
  fp32,
  fp16,
  bf16,
  fp64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64
};

/// An operand whose type the kernel only learns when it runs.
struct Operand {
  const void* data;
  Stored type;

  template <class T>
  [[nodiscard]] __device__ float read(std::int64_t element) const {
    return static_cast<float>(static_cast<const T*>(data)[element]);
  }
  [[nodiscard]] __device__ float at(std::int64_t element) const {
    switch (type) {
      case Stored::fp32:
        return read<float>(element);
      case Stored::fp16:
        return to_float(static_cast<const __half*>(data)[element]);
      case Stored::bf16:
        return to_float(static_cast<const __nv_bfloat16*>(data)[element]);
      case Stored::fp64:
        return read<double>(element);
      case Stored::int8:
        return read<std::int8_t>(element);
      case Stored::uint8:
        return read<std::uint8_t>(element);
      case Stored::int16:
        return read<std::int16_t>(element);
      case Stored::uint16:
        return read<std::uint16_t>(element);
      case Stored::int32:
        return read<std::int32_t>(element);
      case Stored::uint32:
        return read<std::uint32_t>(element);
      case Stored::int64:
        return read<std::int64_t>(element);
    }
    return 0.0F;
  }
};

Stored stored_as(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp16) return Stored::fp16;
  return arithmetic == Arithmetic::bf16 ? Stored::bf16 : Stored::fp32;
}

template <int Width, class Half>
__device__ void narrow_at(const float* from, Half* to, std::int64_t element) {
  const Pack<float, Width> in = load<Width>(from + element);
  Pack<Half, Width> out;
#pragma unroll
  for (int i = 0; i < Width; ++i) out.lane[i] = from_float<Half>(bounded(in.lane[i]));
  store(to + element, out);
}

/// Packs first, one per thread. The remainder at the end goes element by element.
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

/// Calls body(element) for four elements per thread, which are one block width apart.
template <class Body>
__device__ void for_each_in_turn(std::int64_t elements, Body body) {
  const std::int64_t first = blockIdx.x * std::int64_t{kUnrolledThreads * kWidth} + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < kWidth; ++i) {
    const std::int64_t at = first + i * kUnrolledThreads;
    if (at < elements) body(at);
  }
}

__global__ void __launch_bounds__(kUnrolledThreads)
    elementwise_widen(Operand from, float* to, std::int64_t elements) {
  for_each_in_turn(elements, [&](std::int64_t at) { to[at] = bounded(from.at(at)); });
}

__global__ void __launch_bounds__(kUnrolledThreads)
    elementwise_mixed_add(Operand first, Operand second, std::int64_t second_elements, float* sum,
                          std::int64_t elements) {
  const bool repeats = second_elements < elements;
  const bool small = elements <= 0xFFFFFFFF;  // a division of 32 bits is several times as fast
  for_each_in_turn(elements, [&](std::int64_t at) {
    std::int64_t of_second = at;
    if (repeats && small) {
      of_second = static_cast<unsigned>(at) % static_cast<unsigned>(second_elements);
    } else if (repeats) {
      of_second = at % second_elements;
    }
    const float x[2] = {first.at(at), second.at(of_second)};
    sum[at] = bounded(Add::of(x));
  });
}

LaunchShape in_turn(std::int64_t elements) {
  constexpr std::int64_t kOfBlock = kUnrolledThreads * kWidth;
  return {.grid = static_cast<unsigned>((elements + kOfBlock - 1) / kOfBlock),
          .block = kUnrolledThreads,
          .shared_bytes = kSharedOfTwelfth};
}

void run_widening(const Elementwise& shape, const RegionAddresses& regions, cudaStream_t stream,
                  Arithmetic halves) {
  const Operand first{regions.at<const void>(shape.in[0]), stored_as(halves)};
  auto* const out = regions.at<float>(shape.out);
  if (shape.function == Elementwise::Function::copy) {
    return launch("elementwise_widen", elementwise_widen, in_turn(shape.elements), stream, first,
                  out, shape.elements);
  }
  const Operand second{regions.at<const void>(shape.in[1]), Stored::fp32};
  const std::int64_t of_second = shape.second_elements > 0 ? shape.second_elements : shape.elements;
  launch("elementwise_mixed_add", elementwise_mixed_add, in_turn(shape.elements), stream, first,
         second, of_second, out, shape.elements);
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
