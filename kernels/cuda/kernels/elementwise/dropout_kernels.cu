// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/philox.cuh"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/elementwise/dropout_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr float kKeptScale = 1.0F / (1.0F - kDropped);
constexpr auto kThreshold = static_cast<std::uint32_t>(static_cast<double>(kDropped) * 0x1p32);

__device__ float scaled(float value, std::uint8_t kept) {
  return bounded(kept != 0 ? value * kKeptScale : 0.0F);
}

/// One counter yields the random bits of four elements.
template <class T, int Width>
__device__ void drop_at(const T* x, T* y, std::uint8_t* mask, std::int64_t element,
                        const PhiloxPosition& position) {
  const Pack<T, Width> in = load<Width>(x + element);
  Pack<T, Width> out;
  Pack<std::uint8_t, Width> kept;
#pragma unroll
  for (int group = 0; group < (Width + 3) / 4; ++group) {
    const uint4 bits = philox_at(position, static_cast<std::uint64_t>(element / 4 + group));
#pragma unroll
    for (int i = group * 4; i < group * 4 + 4 && i < Width; ++i) {
      const int index = Width == 1 ? static_cast<int>(element % 4) : i % 4;
      kept.lane[i] = word(bits, index) >= kThreshold ? 1 : 0;
      out.lane[i] = from_float<T>(scaled(to_float(in.lane[i]), kept.lane[i]));
    }
  }
  store(y + element, out);
  store(mask + element, kept);
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_dropout(const T* x, T* y, std::uint8_t* mask, std::int64_t elements,
                        PhiloxPosition position) {
  constexpr int kWidth = kVector<T>;
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / kWidth;
  for (std::int64_t pack = first; pack < packs; pack += stride) {
    drop_at<T, kWidth>(x, y, mask, pack * kWidth, position);
  }
  const std::int64_t rest = packs * kWidth + first;
  if (rest < elements) drop_at<T, 1>(x, y, mask, rest, position);
}

template <class T, int Width>
__device__ void mask_at(const T* dy, const std::uint8_t* mask, T* dx, std::int64_t element) {
  const Pack<T, Width> in = load<Width>(dy + element);
  const Pack<std::uint8_t, Width> kept = load<Width>(mask + element);
  Pack<T, Width> out;
#pragma unroll
  for (int i = 0; i < Width; ++i) {
    out.lane[i] = from_float<T>(scaled(to_float(in.lane[i]), kept.lane[i]));
  }
  store(dx + element, out);
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_dropout_gradient(const T* dy, const std::uint8_t* mask, T* dx,
                                 std::int64_t elements) {
  constexpr int kWidth = kVector<T>;
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / kWidth;
  for (std::int64_t pack = first; pack < packs; pack += stride) {
    mask_at<T, kWidth>(dy, mask, dx, pack * kWidth);
  }
  const std::int64_t rest = packs * kWidth + first;
  if (rest < elements) mask_at<T, 1>(dy, mask, dx, rest);
}

}  // namespace

template <class T>
void enqueue_dropout(const Elementwise& shape, const RegionAddresses& regions,
                     cudaStream_t stream) {
  const PhiloxPosition position{kDropoutSeed, static_cast<std::uint64_t>(shape.out.offset)};
  launch("elementwise_dropout", elementwise_dropout<T>,
         {.grid = streaming_blocks(shape.elements / kVector<T> + 1)}, stream,
         regions.at<const T>(shape.in[0]), regions.at<T>(shape.out),
         regions.at<std::uint8_t>(shape.mask), shape.elements, position);
}

template <class T>
void enqueue_dropout_gradient(const Elementwise& shape, const RegionAddresses& regions,
                              cudaStream_t stream) {
  launch("elementwise_dropout_gradient", elementwise_dropout_gradient<T>,
         {.grid = streaming_blocks(shape.elements / kVector<T> + 1)}, stream,
         regions.at<const T>(shape.in[0]), regions.at<const std::uint8_t>(shape.mask),
         regions.at<T>(shape.out), shape.elements);
}

#define MIMUS_DROPOUT(T)                                                                      \
  template void enqueue_dropout<T>(const Elementwise&, const RegionAddresses&, cudaStream_t); \
  template void enqueue_dropout_gradient<T>(const Elementwise&, const RegionAddresses&,       \
                                            cudaStream_t)
MIMUS_DROPOUT(float);
MIMUS_DROPOUT(__half);
MIMUS_DROPOUT(__nv_bfloat16);
#undef MIMUS_DROPOUT

}  // namespace mimus::kernels::cuda
