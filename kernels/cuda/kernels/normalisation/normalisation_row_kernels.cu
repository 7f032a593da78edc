// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/normalisation/normalisation_constants.hpp"
#include "kernels/cuda/kernels/normalisation/row_kernels.cuh"
#include "kernels/cuda/kernels/normalisation/row_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

/// The mean first, then the sum of squared deviations, which avoids cancellation.
template <class T, int Width>
__global__ void __launch_bounds__(kRowThreads)
    normalisation_layer_norm(const T* x, T* y, float* statistics, RowTiling tiling) {
  const RowGroup group(tiling);
  Pack<T, Width>* const cache = row_cache_of<T, Width>(tiling, group, 0, 1);
  const float share = 1.0F / static_cast<float>(tiling.columns);
  for_group_rows(tiling, group, [&](std::int64_t row) {
    const RowReader<T, Width> reader(x + row * tiling.columns, cache);
    float sum = 0.0F;
    for_row_packs<RowPass::first>(tiling, group, {reader}, [&](std::int64_t, const auto& in) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum += to_float(in[0].lane[i]);
    });
    const float mean = group.sum(sum) * share;
    float squares = 0.0F;
    for_row_packs<RowPass::again>(tiling, group, {reader}, [&](std::int64_t, const auto& in) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float distance = to_float(in[0].lane[i]) - mean;
        squares += distance * distance;
      }
    });
    const float inverse = rsqrtf(group.sum(squares) * share + kVarianceFloor);
    for_row_packs<RowPass::again>(tiling, group, {reader}, [&](std::int64_t pack, const auto& in) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float x_hat = (to_float(in[0].lane[i]) - mean) * inverse;
        out.lane[i] = from_float<T>(bounded(kCentre + kSpread * x_hat));
      }
      store(y + row * tiling.columns + pack * Width, out);
    });
    if (group.index() == 0) {
      statistics[row] = mean;
      statistics[tiling.rows + row] = inverse;
    }
  });
}

/// dx = s·(dy − mean(dy) − x̂·mean(dy·x̂)), s = kSpread ÷ deviation. x̂ is bounded, so statistics
/// that do not belong to x cannot make it overflow.
template <class T, int Width>
__global__ void __launch_bounds__(kRowThreads)
    normalisation_layer_norm_gradient(const T* x, const T* dy, T* dx, const float* statistics,
                                      RowTiling tiling) {
  const RowGroup group(tiling);
  Pack<T, Width>* const x_cache = row_cache_of<T, Width>(tiling, group, 0, 2);
  Pack<T, Width>* const dy_cache = row_cache_of<T, Width>(tiling, group, 1, 2);
  const float share = 1.0F / static_cast<float>(tiling.columns);
  for_group_rows(tiling, group, [&](std::int64_t row) {
    const RowReader<T, Width> readers[] = {{x + row * tiling.columns, x_cache},
                                           {dy + row * tiling.columns, dy_cache}};
    const float mean = statistics[row];
    const float inverse = statistics[tiling.rows + row];
    float dy_sum = 0.0F;
    float dy_x_sum = 0.0F;
    for_row_packs<RowPass::first>(tiling, group, readers, [&](std::int64_t, const auto& in) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float dy_value = to_float(in[1].lane[i]);
        dy_sum += dy_value;
        dy_x_sum += dy_value * bounded((to_float(in[0].lane[i]) - mean) * inverse);
      }
    });
    const float dy_mean = group.sum(dy_sum) * share;
    const float dy_x_mean = group.sum(dy_x_sum) * share;
    for_row_packs<RowPass::again>(tiling, group, readers, [&](std::int64_t pack, const auto& in) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float x_hat = bounded((to_float(in[0].lane[i]) - mean) * inverse);
        const float centred = to_float(in[1].lane[i]) - dy_mean - x_hat * dy_x_mean;
        out.lane[i] = from_float<T>(bounded(kSpread * inverse * centred));
      }
      store(dx + row * tiling.columns + pack * Width, out);
    });
  });
}

template <class T, int Width>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const auto* x = regions.at<const T>(shape.x);
  auto* out = regions.at<T>(shape.out);
  auto* statistics = regions.at<float>(shape.statistics);
  if (shape.function == Reduction::Function::layer_norm) {
    launch_rows<T, Width>("normalisation_layer_norm", normalisation_layer_norm<T, Width>, shape, 1,
                          stream, x, out, statistics);
  } else {
    launch_rows<T, Width>("normalisation_layer_norm_gradient",
                          normalisation_layer_norm_gradient<T, Width>, shape, 2, stream, x,
                          regions.at<const T>(shape.dy), out, statistics);
  }
}

}  // namespace

void enqueue_layer_norm(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
                        Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.columns,
                  [&](auto width) { run<T, decltype(width)::value>(shape, regions, stream); });
  });
}

}  // namespace mimus::kernels::cuda
