// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cooperative_groups.h>

#include "base/error.hpp"
#include "kernels/cuda/kernels/column_kernels.cuh"
#include "kernels/cuda/kernels/column_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

namespace cg = cooperative_groups;

/// Two sums per column in fp32, added up by all blocks that share it. Blocks read them past the
/// first-level cache, which does not see what others add.
struct ColumnSums {
  float* first;
  float* second;  ///< null when there is only one

  __device__ void clear(std::int64_t column) const {
    first[column] = 0.0F;
    if (second != nullptr) second[column] = 0.0F;
  }
  __device__ void add(std::int64_t column, float a, float b) const {
    atomicAdd(first + column, a);
    if (second != nullptr) atomicAdd(second + column, b);
  }
};

template <int Width>
__device__ void read_past_cache(float (&values)[Width], const float* from) {
#pragma unroll
  for (int i = 0; i < Width; ++i) values[i] = __ldcg(from + i);
}

/// Mean, and one over the deviation, from a mean and a mean square.
__device__ float inverse_deviation(float mean, float square) {
  return rsqrtf(fmaxf(square - mean * mean, 0.0F) + kVarianceFloor);
}

/// Adds this block's sums, divided by the rows, to those of all.
template <int Width>
__device__ void add_means(const ColumnTiling& tiling, const ColumnBlock<Width>& block,
                          const ColumnSums& sums, float a, float b) {
  if (block.sum_column < 0) return;
  const float share = 1.0F / static_cast<float>(tiling.rows);
  sums.add(block.sum_column, a * share, b * share);
}

/// First pass: sums of x and x² while the sums in memory are cleared. Second pass: x → y.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    normalisation_batch_norm(const T* x, T* y, ColumnSums sums, ColumnTiling tiling) {
  const cg::grid_group grid = cg::this_grid();
  for (std::int64_t round = 0; round * tiling.tiles_at_once < tiling.tiles; ++round) {
    const ColumnBlock<Width> block(tiling, round);
    if (block.first_segment && block.sum_column >= 0) sums.clear(block.sum_column);
    float sum[Width] = {};
    float square[Width] = {};
    for_rows(block, {x}, [&](std::int64_t, const Pack<T, Width>(&in)[1]) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float value = to_float(in[0].lane[i]);
        sum[i] += value;
        square[i] += value * value;
      }
    });
    const float block_sum = sum_lines(tiling, sum);
    const float block_square = sum_lines(tiling, square);
    grid.sync();
    add_means(tiling, block, sums, block_sum, block_square);
    grid.sync();
    if (!block.inside()) continue;
    read_past_cache(sum, sums.first + block.column);
    read_past_cache(square, sums.second + block.column);
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      square[i] = kSpread * inverse_deviation(sum[i], square[i]);
      sum[i] = kCentre - sum[i] * square[i];
    }
    for_rows(block, {x}, [&](std::int64_t row, const Pack<T, Width>(&in)[1]) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        out.lane[i] = from_float<T>(bounded(to_float(in[0].lane[i]) * square[i] + sum[i]));
      }
      store(y + row * tiling.columns + block.column, out);
    });
  }
}

/// What the gradient knows of the columns of a thread.
template <int Width>
struct GradientColumns {
  float mean[Width], square[Width], inverse[Width];
  float dy[Width] = {}, dy_x[Width] = {};

  __device__ void read_statistics(const ColumnSums& sums, std::int64_t column) {
    read_past_cache(mean, sums.first + column);
    read_past_cache(square, sums.second + column);
#pragma unroll
    for (int i = 0; i < Width; ++i) inverse[i] = inverse_deviation(mean[i], square[i]);
  }
  /// Mean of dy and of dy·x̂ over all rows: what has been added to the statistics.
  __device__ void read_sums(const ColumnSums& sums, std::int64_t column) {
    read_past_cache(dy, sums.first + column);
    read_past_cache(dy_x, sums.second + column);
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      dy[i] -= mean[i];
      dy_x[i] -= square[i];
    }
  }
  [[nodiscard]] __device__ float normalised(int i, float x) const {
    return (x - mean[i]) * inverse[i];
  }
  [[nodiscard]] __device__ float gradient(int i, float x, float upstream) const {
    return kSpread * inverse[i] * (upstream - dy[i] - normalised(i, x) * dy_x[i]);
  }
};

/// dx = s·(dy − mean(dy) − x̂·mean(dy·x̂)), s = kSpread ÷ deviation. The footprint has no place for
/// the two sums, so they are added on top of the statistics and told from them by difference; the
/// statistics are put back once every block has read both.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    normalisation_batch_norm_gradient(const T* x, const T* dy, T* dx, ColumnSums sums,
                                      ColumnTiling tiling) {
  const cg::grid_group grid = cg::this_grid();
  for (std::int64_t round = 0; round * tiling.tiles_at_once < tiling.tiles; ++round) {
    const ColumnBlock<Width> block(tiling, round);
    const bool restores = block.first_segment && block.sum_column >= 0;
    const float old_mean = restores ? __ldcg(sums.first + block.sum_column) : 0.0F;
    const float old_square = restores ? __ldcg(sums.second + block.sum_column) : 0.0F;
    GradientColumns<Width> own;
    if (block.inside()) own.read_statistics(sums, block.column);
    for_rows(block, {x, dy}, [&](std::int64_t, const Pack<T, Width>(&in)[2]) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float gradient = to_float(in[1].lane[i]);
        own.dy[i] += gradient;
        own.dy_x[i] += gradient * own.normalised(i, to_float(in[0].lane[i]));
      }
    });
    const float block_dy = sum_lines(tiling, own.dy);
    const float block_dy_x = sum_lines(tiling, own.dy_x);
    grid.sync();
    add_means(tiling, block, sums, block_dy, block_dy_x);
    grid.sync();
    if (block.inside()) own.read_sums(sums, block.column);
    grid.sync();
    if (restores) {
      sums.first[block.sum_column] = old_mean;
      sums.second[block.sum_column] = old_square;
    }
    for_rows(block, {x, dy}, [&](std::int64_t row, const Pack<T, Width>(&in)[2]) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float value = own.gradient(i, to_float(in[0].lane[i]), to_float(in[1].lane[i]));
        out.lane[i] = from_float<T>(bounded(value));
      }
      store(dx + row * tiling.columns + block.column, out);
    });
  }
}

/// Gradients of layer norm's scale and shift: means of dy·x̂ and of dy over the rows.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    normalisation_parameter_gradient(const T* x, const T* dy, const float* statistics,
                                     ColumnSums sums, ColumnTiling tiling) {
  const cg::grid_group grid = cg::this_grid();
  for (std::int64_t round = 0; round * tiling.tiles_at_once < tiling.tiles; ++round) {
    const ColumnBlock<Width> block(tiling, round);
    if (block.first_segment && block.sum_column >= 0) sums.clear(block.sum_column);
    float scale[Width] = {};
    float shift[Width] = {};
    for_rows(block, {x, dy}, [&](std::int64_t row, const Pack<T, Width>(&in)[2]) {
      const float mean = statistics[row];
      const float inverse = statistics[tiling.rows + row];
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float gradient = to_float(in[1].lane[i]);
        scale[i] += gradient * bounded((to_float(in[0].lane[i]) - mean) * inverse);
        shift[i] += gradient;
      }
    });
    const float block_scale = sum_lines(tiling, scale);
    const float block_shift = sum_lines(tiling, shift);
    grid.sync();
    add_means(tiling, block, sums, block_scale, block_shift);
  }
}

/// Gradient of a bias: the mean of dy over the rows.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    reduction_column_sum(const T* dy, ColumnSums sums, ColumnTiling tiling) {
  const cg::grid_group grid = cg::this_grid();
  for (std::int64_t round = 0; round * tiling.tiles_at_once < tiling.tiles; ++round) {
    const ColumnBlock<Width> block(tiling, round);
    if (block.first_segment && block.sum_column >= 0) sums.clear(block.sum_column);
    float sum[Width] = {};
    for_rows(block, {dy}, [&](std::int64_t, const Pack<T, Width>(&in)[1]) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[i] += to_float(in[0].lane[i]);
    });
    const float block_sum = sum_lines(tiling, sum);
    grid.sync();
    add_means(tiling, block, sums, block_sum, 0.0F);
  }
}

/// As many segments as blocks are resident, but none shorter than four rows of each thread.
template <int Width>
ColumnTiling tiling_of(const Reduction& shape, std::int64_t resident) {
  const std::int64_t packs = (shape.columns + Width - 1) / Width;
  ColumnTiling tiling{.rows = shape.rows, .columns = shape.columns};
  tiling.lanes =
      static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::min<std::int64_t>(32, packs))));
  tiling.tiles = (packs + tiling.lanes - 1) / tiling.lanes;
  const std::int64_t shortest = 4 * (kBlockThreads / tiling.lanes);
  const std::int64_t most = (shape.rows + shortest - 1) / shortest;
  tiling.segments = std::clamp<std::int64_t>(resident / tiling.tiles, 1, most);
  tiling.tiles_at_once =
      std::min(tiling.tiles, std::max<std::int64_t>(1, resident / tiling.segments));
  return tiling;
}

/// Where other tenants hold a part of the device, fewer blocks may be allowed to wait for one
/// another than its driver says: then half as many are tried.
template <int Width, class... Parameters, class... Arguments>
void launch_tiled(std::string_view call, void (*kernel)(Parameters...), const Reduction& shape,
                  cudaStream_t stream, Arguments... arguments) {
  std::int64_t resident = resident_blocks(reinterpret_cast<const void*>(kernel), kBlockThreads, 0);
  while (true) {
    const ColumnTiling tiling = tiling_of<Width>(shape, resident);
    const LaunchShape grid{.grid = tiling.blocks()};
    if (launch_cooperative(call, kernel, grid, stream, arguments..., tiling)) return;
    ensure(resident > 1, "one block of a cooperative kernel is always resident");
    resident = std::min<std::int64_t>(resident, tiling.blocks()) / 2;
  }
}

template <class T, int Width>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Reduction::Function;
  const auto* x = regions.at<const T>(shape.x);
  const auto* dy = regions.at<const T>(shape.dy);
  auto* out = regions.at<T>(shape.out);
  auto* statistics = regions.at<float>(shape.statistics);
  auto* vectors = regions.at<float>(shape.out);
  const ColumnSums kept{statistics, statistics + shape.columns};
  const ColumnSums gradients{vectors, vectors + shape.columns};
  switch (shape.function) {
    case batch_norm:
      return launch_tiled<Width>("normalisation_batch_norm", normalisation_batch_norm<T, Width>,
                                 shape, stream, x, out, kept);
    case batch_norm_gradient:
      return launch_tiled<Width>("normalisation_batch_norm_gradient",
                                 normalisation_batch_norm_gradient<T, Width>, shape, stream, x, dy,
                                 out, kept);
    case parameter_gradient:
      return launch_tiled<Width>("normalisation_parameter_gradient",
                                 normalisation_parameter_gradient<T, Width>, shape, stream, x, dy,
                                 statistics, gradients);
    case column_sum:
      return launch_tiled<Width>("reduction_column_sum", reduction_column_sum<T, Width>, shape,
                                 stream, dy, ColumnSums{vectors, nullptr});
    default:
      ensure(false, "not a reduction along columns");
  }
}

}  // namespace

void enqueue_column_reduction(const Reduction& shape, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.columns,
                  [&](auto width) { run<T, decltype(width)::value>(shape, regions, stream); });
  });
}

}  // namespace mimus::kernels::cuda
