// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/gru_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class T>
struct Cell {
  T* gates;
  T* state_gates;
  T* state;
  T* reserve;
  std::int64_t batch, hidden;
};

/// One unit of the hidden layer.
struct Unit {
  float gates[6];    ///< i_r, i_z, i_n, h_r, h_z, h_n, or their gradients
  float reserve[4];  ///< r, z, n, h_n
  float state;       ///< h, or dh

  __device__ void forward() {
    const float r = 1.0F / (1.0F + __expf(-(gates[0] + gates[3])));
    const float z = 1.0F / (1.0F + __expf(-(gates[1] + gates[4])));
    const float n = tanhf(gates[2] + r * gates[5]);
    state = (1.0F - z) * n + z * state;
    reserve[0] = r;
    reserve[1] = z;
    reserve[2] = n;
    reserve[3] = gates[5];
  }

  __device__ void backward() {
    const auto& [r, z, n, product] = reserve;
    const float dn = state * (1.0F - z) * (1.0F - n * n);
    const float dz = state * (product - n) * z * (1.0F - z);
    const float dr = dn * product * r * (1.0F - r);
    gates[0] = gates[3] = dr;
    gates[1] = gates[4] = dz;
    gates[2] = dn;
    gates[5] = dn * r;
    state *= z;
  }
};

template <int Width, class T, int Rows>
__device__ void load_rows(Pack<T, Width> (&packs)[Rows], const T* first, std::int64_t stride) {
#pragma unroll
  for (int row = 0; row < Rows; ++row) packs[row] = load<Width>(first + row * stride);
}

template <int Width, class T, int Rows>
__device__ void store_rows(T* first, std::int64_t stride, const Pack<T, Width> (&packs)[Rows]) {
#pragma unroll
  for (int row = 0; row < Rows; ++row) store(first + row * stride, packs[row]);
}

template <bool Gradient, class T, int Width>
__device__ void step_at(const Cell<T>& cell, std::int64_t row, std::int64_t unit) {
  const std::int64_t gates_at = row * 3 * cell.hidden + unit;
  T* const input_at = cell.gates + gates_at;
  T* const product_at = cell.state_gates + gates_at;
  T* const reserve_at = cell.reserve + row * 4 * cell.hidden + unit;
  T* const state_at = cell.state + row * cell.hidden + unit;
  Pack<T, Width> input[3];
  Pack<T, Width> product[3];
  Pack<T, Width> reserve[4];
  Pack<T, Width> state = load<Width>(state_at);
  if constexpr (Gradient) {
    load_rows(reserve, reserve_at, cell.hidden);
  } else {
    load_rows(input, input_at, cell.hidden);
    load_rows(product, product_at, cell.hidden);
  }
#pragma unroll
  for (int lane = 0; lane < Width; ++lane) {
    Unit values{};
    values.state = to_float(state.lane[lane]);
    if constexpr (Gradient) {
#pragma unroll
      for (int i = 0; i < 4; ++i) values.reserve[i] = to_float(reserve[i].lane[lane]);
      values.backward();
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        input[i].lane[lane] = from_float<T>(bounded(values.gates[i]));
        product[i].lane[lane] = from_float<T>(bounded(values.gates[i + 3]));
      }
    } else {
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        values.gates[i] = to_float(input[i].lane[lane]);
        values.gates[i + 3] = to_float(product[i].lane[lane]);
      }
      values.forward();
#pragma unroll
      for (int i = 0; i < 4; ++i) reserve[i].lane[lane] = from_float<T>(bounded(values.reserve[i]));
    }
    state.lane[lane] = from_float<T>(bounded(values.state));
  }
  if constexpr (Gradient) {
    store_rows(input_at, cell.hidden, input);
    store_rows(product_at, cell.hidden, product);
  } else {
    store_rows(reserve_at, cell.hidden, reserve);
  }
  store(state_at, state);
}

template <bool Gradient, class T, int Width>
__global__ void __launch_bounds__(kBlockThreads) elementwise_gru_cell(Cell<T> cell) {
  const auto packs = static_cast<unsigned>(cell.hidden / Width);
  const auto all = static_cast<unsigned>(cell.batch) * packs;
  const unsigned stride = gridDim.x * unsigned{kBlockThreads};
  for (unsigned i = blockIdx.x * unsigned{kBlockThreads} + threadIdx.x; i < all; i += stride) {
    const unsigned row = i / packs;
    step_at<Gradient, T, Width>(cell, row, std::int64_t{i - row * packs} * Width);
  }
}

template <class T, int Width>
void run(const GruCell& shape, const RegionAddresses& regions, cudaStream_t stream) {
  ensure(shape.batch * shape.hidden <= std::int64_t{1} << 31, "a GRU cell has up to 2^31 units");
  const Cell<T> cell{regions.at<T>(shape.gates),
                     regions.at<T>(shape.state_gates),
                     regions.at<T>(shape.state),
                     regions.at<T>(shape.reserve),
                     shape.batch,
                     shape.hidden};
  const LaunchShape grid{.grid = streaming_blocks(shape.batch * (shape.hidden / Width))};
  launch(
      "elementwise_gru_cell",
      shape.gradient ? elementwise_gru_cell<true, T, Width> : elementwise_gru_cell<false, T, Width>,
      grid, stream, cell);
}

}  // namespace

void enqueue(const GruCell& shape, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves) {
  if (shape.batch == 0 || shape.hidden == 0) return;
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.hidden,
                  [&](auto width) { run<T, decltype(width)::value>(shape, regions, stream); });
  });
}

}  // namespace mimus::kernels::cuda
