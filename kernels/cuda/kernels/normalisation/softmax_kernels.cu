// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/normalisation/row_kernels.cuh"
#include "kernels/cuda/kernels/normalisation/row_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class T, int Width>
__device__ float lane_max(const Pack<T, Width>& pack, float so_far) {
#pragma unroll
  for (int i = 0; i < Width; ++i) so_far = fmaxf(so_far, to_float(pack.lane[i]));
  return so_far;
}

struct RowExponentials {
  float max;
  float sum;  ///< of exp(x − max)
};

/// Reads a row. If the row is cached, it is read from memory only here.
template <class T, int Width>
__device__ RowExponentials exponentials(const RowTiling& tiling, const RowGroup& group,
                                        const RowReader<T, Width>& reader) {
  float largest = -3.4e38F;
  for_row_packs<RowPass::first>(tiling, group, {reader}, [&](std::int64_t, const auto& in) {
    largest = lane_max(in[0], largest);
  });
  largest = group.max(largest);
  float sum = 0.0F;
  for_row_packs<RowPass::again>(tiling, group, {reader}, [&](std::int64_t, const auto& in) {
#pragma unroll
    for (int i = 0; i < Width; ++i) sum += __expf(to_float(in[0].lane[i]) - largest);
  });
  return {largest, group.sum(sum)};
}

template <class T, int Width>
__global__ void __launch_bounds__(kRowThreads) softmax_forward(const T* x, T* y, RowTiling tiling) {
  const RowGroup group(tiling);
  Pack<T, Width>* const cache = row_cache_of<T, Width>(tiling, group, 0, 1);
  for_group_rows(tiling, group, [&](std::int64_t row) {
    const RowReader<T, Width> reader(x + row * tiling.columns, cache);
    const RowExponentials total = exponentials(tiling, group, reader);
    const float scale = 0.5F * static_cast<float>(tiling.columns) / total.sum;
    for_row_packs<RowPass::again>(tiling, group, {reader}, [&](std::int64_t pack, const auto& in) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        out.lane[i] = from_float<T>(bounded(scale * __expf(to_float(in[0].lane[i]) - total.max)));
      }
      store(y + row * tiling.columns + pack * Width, out);
    });
  });
}

/// dx = y·(dy − Σ p·dy) with probabilities p = 2·y ÷ columns.
template <class T, int Width>
__global__ void __launch_bounds__(kRowThreads)
    softmax_gradient(const T* y, const T* dy, T* dx, RowTiling tiling) {
  const RowGroup group(tiling);
  Pack<T, Width>* const y_cache = row_cache_of<T, Width>(tiling, group, 0, 2);
  Pack<T, Width>* const dy_cache = row_cache_of<T, Width>(tiling, group, 1, 2);
  for_group_rows(tiling, group, [&](std::int64_t row) {
    const RowReader<T, Width> readers[] = {{y + row * tiling.columns, y_cache},
                                           {dy + row * tiling.columns, dy_cache}};
    float sum = 0.0F;
    for_row_packs<RowPass::first>(tiling, group, readers, [&](std::int64_t, const auto& in) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum += to_float(in[0].lane[i]) * to_float(in[1].lane[i]);
    });
    const float expected = group.sum(sum) * 2.0F / static_cast<float>(tiling.columns);
    for_row_packs<RowPass::again>(tiling, group, readers, [&](std::int64_t pack, const auto& in) {
      Pack<T, Width> out;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const float centred = to_float(in[1].lane[i]) - expected;
        out.lane[i] = from_float<T>(bounded(to_float(in[0].lane[i]) * centred));
      }
      store(dx + row * tiling.columns + pack * Width, out);
    });
  });
}

/// log Σ exp(x) − x₀ in fp32.
template <class T, int Width>
__global__ void __launch_bounds__(kRowThreads)
    reduction_row_loss(const T* x, float* losses, RowTiling tiling) {
  const RowGroup group(tiling);
  Pack<T, Width>* const cache = row_cache_of<T, Width>(tiling, group, 0, 1);
  for_group_rows(tiling, group, [&](std::int64_t row) {
    const RowReader<T, Width> reader(x + row * tiling.columns, cache);
    const RowExponentials total = exponentials(tiling, group, reader);
    if (group.index() == 0) {
      const float label = to_float(reader.template read<RowPass::again>(0).lane[0]);
      losses[row] = bounded(fmaxf(__logf(total.sum) + total.max - label, 0.0F));
    }
  });
}

template <class T, int Width>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Reduction::Function;
  const auto* x = regions.at<const T>(shape.x);
  auto* out = regions.at<T>(shape.out);
  switch (shape.function) {
    case softmax:
      return launch_rows<T, Width>("softmax_forward", softmax_forward<T, Width>, shape, 1, stream,
                                   x, out);
    case softmax_gradient:
      return launch_rows<T, Width>("softmax_gradient", cuda::softmax_gradient<T, Width>, shape, 2,
                                   stream, x, regions.at<const T>(shape.dy), out);
    case row_loss:
      return launch_rows<T, Width>("reduction_row_loss", reduction_row_loss<T, Width>, shape, 1,
                                   stream, x, regions.at<float>(shape.out));
    default:
      ensure(false, "not a kernel of the softmax family");
  }
}

}  // namespace

void enqueue_softmax(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
                     Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.columns,
                  [&](auto width) { run<T, decltype(width)::value>(shape, regions, stream); });
  });
}

}  // namespace mimus::kernels::cuda
