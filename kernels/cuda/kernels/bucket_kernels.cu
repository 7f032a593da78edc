// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/bucket_kernels.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"

namespace mimus::kernels::cuda {
namespace {

template <int Width>
__device__ Pack<float, Width> divided(Pack<float, Width> pack, float divisor) {
#pragma unroll
  for (int i = 0; i < Width; ++i) pack.lane[i] = bounded(pack.lane[i] / divisor);
  return pack;
}

template <int Width>
__global__ void __launch_bounds__(kBlockThreads)
    copy_bucket(const float* from, float* to, std::int64_t elements, float divisor) {
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = elements / Width;
  std::int64_t pack = first;
  for (; pack + stride < packs; pack += 2 * stride) {
    const Pack<float, Width> near = load<Width>(from + pack * Width);
    const Pack<float, Width> far = load<Width>(from + (pack + stride) * Width);
    store(to + pack * Width, divided(near, divisor));
    store(to + (pack + stride) * Width, divided(far, divisor));
  }
  if (pack < packs) store(to + pack * Width, divided(load<Width>(from + pack * Width), divisor));
  const std::int64_t rest = packs * Width + first;
  if (rest < elements) to[rest] = bounded(from[rest] / divisor);
}

}  // namespace

void enqueue(const BucketCopy& shape, const RegionAddresses& regions, cudaStream_t stream) {
  ensure(shape.replicas >= 1, "gradients are averaged over at least one replica");
  const auto [first, elements] = shape.gradients;
  if (elements == 0) return;
  float* const gradients = regions.at<float>({Region::gradients, 0}) + first;
  float* const bucket = regions.at<float>({Region::buckets, 0}) + first;
  const float divisor = shape.back ? 1.0F : static_cast<float>(shape.replicas);
  const bool aligned = first % kVector<float> == 0;
  const std::int64_t packs = aligned ? elements / kVector<float> + 1 : elements;
  launch("copy_bucket", aligned ? copy_bucket<kVector<float>> : copy_bucket<1>,
         {.grid = streaming_blocks(packs)}, stream, shape.back ? bucket : gradients,
         shape.back ? gradients : bucket, elements, divisor);
}

}  // namespace mimus::kernels::cuda
