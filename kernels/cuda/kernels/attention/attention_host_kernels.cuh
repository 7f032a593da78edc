// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "kernels/cuda/kernels/attention/attention_forward_kernels.cuh"
#include "kernels/cuda/kernels/attention/attention_gradient_kernels.cuh"
#include "kernels/cuda/kernels/attention/attention_launch_kernels.cuh"
#include "kernels/cuda/kernels/common/grid.hpp"

namespace mimus::kernels::cuda {

inline void require_shared_memory(const void* kernel, std::size_t bytes) {
  if (allow_shared_memory(kernel, bytes)) return;
  throw EnvironmentError("fused attention needs " + std::to_string(bytes) +
                         " bytes of shared memory per block, more than this device has; choose a "
                         "16-bit arithmetic or attention: eager");
}

template <class Cores, int Features>
void run_forward(const FusedAttention& shape, const AttentionShape& sizes,
                 const RegionAddresses& regions, cudaStream_t stream) {
  using T = typename Cores::Element;
  using Tiles = ForwardTiles<T, Features>;
  auto* const kernel = gemm_attention_forward<Cores, Features>;
  require_shared_memory(reinterpret_cast<const void*>(kernel), sizeof(Tiles));
  const AttentionForward<T> operands{regions.at<const T>(shape.query),
                                     regions.at<const T>(shape.key),
                                     regions.at<const T>(shape.value), regions.at<T>(shape.out),
                                     regions.at<float>(shape.statistics)};
  const std::int64_t tiles = (shape.rows + Tiles::kQueries - 1) / Tiles::kQueries;
  const LaunchShape grid{.grid = static_cast<unsigned>(shape.batch * shape.heads * tiles),
                         .block = kAttentionThreads,
                         .shared_bytes = sizeof(Tiles)};
  launch("gemm_attention_forward", kernel, grid, stream, operands, sizes);
}

/// As many blocks as are resident, or half as many until the driver accepts.
template <class Cores, int Features>
void run_gradient(const FusedAttention& shape, const AttentionShape& sizes,
                  const RegionAddresses& regions, cudaStream_t stream) {
  using T = typename Cores::Element;
  using Tiles = GradientTiles<T, Features>;
  auto* const kernel = gemm_attention_gradient<Cores, Features>;
  const auto* const address = reinterpret_cast<const void*>(kernel);
  require_shared_memory(address, sizeof(Tiles));
  const AttentionGradient<T> operands{
      regions.at<const T>(shape.query),        regions.at<const T>(shape.key),
      regions.at<const T>(shape.value),        regions.at<const T>(shape.out),
      regions.at<const T>(shape.out_gradient), regions.at<const float>(shape.statistics),
      regions.at<T>(shape.query_gradient),     regions.at<T>(shape.key_gradient),
      regions.at<T>(shape.value_gradient)};
  const std::int64_t tiles =
      shape.batch * shape.heads * ((shape.rows + Tiles::kKeys - 1) / Tiles::kKeys);
  std::int64_t blocks =
      std::min<std::int64_t>(tiles, resident_blocks(address, kAttentionThreads, sizeof(Tiles)));
  LaunchShape grid{.block = kAttentionThreads, .shared_bytes = sizeof(Tiles)};
  for (;; blocks /= 2) {
    ensure(blocks > 0, "one block of a cooperative kernel is always resident");
    grid.grid = static_cast<unsigned>(blocks);
    if (launch_cooperative("gemm_attention_gradient", kernel, grid, stream, operands, sizes))
      return;
  }
}

template <class Cores>
void enqueue_attention(const FusedAttention& shape, const RegionAddresses& regions,
                       cudaStream_t stream) {
  const AttentionShape sizes{shape.batch, shape.heads, shape.rows,
                             1.0F / std::sqrt(static_cast<float>(shape.features))};
  if (shape.features == 64) {
    return shape.gradient ? run_gradient<Cores, 64>(shape, sizes, regions, stream)
                          : run_forward<Cores, 64>(shape, sizes, regions, stream);
  }
  if (shape.features == 128) {
    return shape.gradient ? run_gradient<Cores, 128>(shape, sizes, regions, stream)
                          : run_forward<Cores, 128>(shape, sizes, regions, stream);
  }
  throw UsageError("fused attention of heads of " + std::to_string(shape.features) +
                   " features: 64 and 128 are possible; choose attention: eager");
}

}  // namespace mimus::kernels::cuda
