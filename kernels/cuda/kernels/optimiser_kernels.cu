// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/optimiser_kernels.cuh"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kOptimiserThreads = 512;
constexpr int kFour = 4;
constexpr float kLargestFinite = 3.402823466e38F;

/// The chunks of one launch, one per block: their first elements and their lengths.
struct ChunkTable {
  std::int64_t first[kTableChunks];
  std::int32_t elements[kTableChunks];
  int chunks;
};

/// The same with the index of each chunk's tensor in the list.
struct TensorChunkTable {
  std::int64_t first[kTensorTableChunks];
  std::int32_t elements[kTensorTableChunks];
  std::int32_t tensor[kTensorTableChunks];
  int chunks;
};

/// The arrays, which all have the same layout.
struct Arrays {
  float* array[5];  ///< weights, gradients, first and second moment, temporary
  float* flag;      ///< set when a gradient is not finite
};
static_assert(std::max(sizeof(ChunkTable) + sizeof(Constants), sizeof(TensorChunkTable) + 8) +
                      sizeof(Arrays) <=
                  4096,
              "parameters of a kernel before CUDA 12.1 take at most 4 KB");

template <class Function, int Index, int Width>
__device__ void load_array(Pack<float, Width>& pack, const Arrays& arrays, std::int64_t at) {
  if constexpr ((Function::kReads >> Index & 1U) != 0) pack = load<Width>(arrays.array[Index] + at);
}

template <class Function, int Index, int Width>
__device__ void store_array(const Pack<float, Width>& pack, const Arrays& arrays, std::int64_t at) {
  if constexpr ((Function::kWrites >> Index & 1U) != 0) store(arrays.array[Index] + at, pack);
}

template <class Function, int Width>
__device__ void update_at(const Arrays& arrays, const Constants& constants, std::int64_t at) {
  Pack<float, Width> w{}, g{}, m{}, v{}, t{};
  load_array<Function, 0>(w, arrays, at);
  load_array<Function, 1>(g, arrays, at);
  load_array<Function, 2>(m, arrays, at);
  load_array<Function, 3>(v, arrays, at);
  load_array<Function, 4>(t, arrays, at);
#pragma unroll
  for (int i = 0; i < Width; ++i) {
    Parameter p{w.lane[i], g.lane[i], m.lane[i], v.lane[i], t.lane[i]};
    Function::apply(p, constants);
    if constexpr (std::is_same_v<Function, Unscale>) {
      if (!(fabsf(p.g) <= kLargestFinite)) *arrays.flag = 1.0F;
    }
    w.lane[i] = wrapped(p.w);
    g.lane[i] = bounded(p.g);
    m.lane[i] = bounded(p.m);
    v.lane[i] = bounded(p.v);
    t.lane[i] = bounded(p.t);
  }
  store_array<Function, 0>(w, arrays, at);
  store_array<Function, 1>(g, arrays, at);
  store_array<Function, 2>(m, arrays, at);
  store_array<Function, 3>(v, arrays, at);
  store_array<Function, 4>(t, arrays, at);
}

/// Calls body(element, width) for the packs of a chunk. It goes element by element where the chunk
/// does not begin at a multiple of 16 bytes, and at its end.
template <class Table, class Body>
__device__ void for_chunk(const Table& table, bool aligned, Body body) {
  const std::int64_t first = table.first[blockIdx.x];
  const int elements = table.elements[blockIdx.x];
  const int packed = aligned && first % kFour == 0 ? elements / kFour * kFour : 0;
  for (int i = static_cast<int>(threadIdx.x) * kFour; i < packed; i += kOptimiserThreads * kFour) {
    body(first + i, std::integral_constant<int, kFour>{});
  }
  for (int i = packed + static_cast<int>(threadIdx.x); i < elements; i += kOptimiserThreads) {
    body(first + i, std::integral_constant<int, 1>{});
  }
}

/// `aligned` says whether the second moment begins at a multiple of 16 bytes.
template <class Function>
__global__ void __launch_bounds__(kOptimiserThreads)
    optimiser_update(ChunkTable table, Arrays arrays, Constants constants, bool aligned) {
  for_chunk(table, aligned, [&](std::int64_t at, auto width) {
    update_at<Function, decltype(width)::value>(arrays, constants, at);
  });
}

/// Adds the squares of a chunk's weights and updates to the sums of its tensor.
__global__ void __launch_bounds__(kOptimiserThreads)
    optimiser_norms(TensorChunkTable table, Arrays arrays, float* norms) {
  constexpr int kWarp = 32;
  float sums[2]{};
  for_chunk(table, true, [&](std::int64_t at, auto width) {
    constexpr int kWidth = decltype(width)::value;
    const auto w = load<kWidth>(arrays.array[0] + at);
    const auto t = load<kWidth>(arrays.array[4] + at);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      sums[0] += w.lane[i] * w.lane[i];
      sums[1] += t.lane[i] * t.lane[i];
    }
  });
  for (int k = 0; k < 2; ++k) {
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      sums[k] += __shfl_xor_sync(0xFFFFFFFFU, sums[k], distance);
    }
    if (threadIdx.x % kWarp == 0) atomicAdd(norms + 2 * table.tensor[blockIdx.x] + k, sums[k]);
  }
}

/// The step of LAMB. The learning rate of a tensor is scaled by the ratio of the two norms.
__global__ void __launch_bounds__(kOptimiserThreads)
    optimiser_in_trust(TensorChunkTable table, Arrays arrays, const float* norms) {
  const float* squares = norms + 2 * table.tensor[blockIdx.x];
  const bool known = squares[0] > 0.0F && squares[1] > 0.0F;
  const float rate = known ? kRate * sqrtf(squares[0] / squares[1]) : kRate;
  for_chunk(table, true, [&](std::int64_t at, auto width) {
    constexpr int kWidth = decltype(width)::value;
    auto w = load<kWidth>(arrays.array[0] + at);
    const auto t = load<kWidth>(arrays.array[4] + at);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) w.lane[i] = wrapped(w.lane[i] - rate * t.lane[i]);
    store(arrays.array[0] + at, w);
  });
}

/// Fills tables with the chunks of all tensors and calls `launch_table` with each table.
template <class Table, class LaunchTable>
void for_tables(const MultiTensor& shape, LaunchTable launch_table) {
  Table table{};
  constexpr int kMost = static_cast<int>(std::extent_v<decltype(table.first)>);
  const auto flush = [&] {
    if (table.chunks > 0) launch_table(table);
    table.chunks = 0;
  };
  for (std::size_t i = 0; i < shape.tensors.size(); ++i) {
    const TensorSpan& tensor = shape.tensors[i];
    for (std::int64_t done = 0; done < tensor.elements; done += kChunkElements) {
      table.first[table.chunks] = tensor.first + done;
      table.elements[table.chunks] =
          static_cast<std::int32_t>(std::min(kChunkElements, tensor.elements - done));
      if constexpr (std::is_same_v<Table, TensorChunkTable>) {
        table.tensor[table.chunks] = static_cast<std::int32_t>(i);
      }
      if (++table.chunks == kMost) flush();
    }
  }
  flush();
}

template <class Table>
LaunchShape table_shape(const Table& table) {
  return {.grid = static_cast<unsigned>(table.chunks), .block = kOptimiserThreads};
}

Arrays arrays_of(const MultiTensor& shape, const RegionAddresses& regions) {
  auto* moments = regions.at<float>({Region::moments, 0});
  auto* scratch = regions.at<float>({Region::temporary, 0});
  return {{regions.at<float>({Region::weights, 0}), regions.at<float>({Region::gradients, 0}),
           moments, moments + shape.parameters, scratch},
          scratch};
}

void run_norms(const MultiTensor& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const Arrays arrays = arrays_of(shape, regions);
  auto* norms = regions.at<float>(norms_of(shape));
  const auto bytes = static_cast<std::size_t>(norm_bytes(shape.tensors.size()));
  check_cuda(cudaMemsetAsync(norms, 0, bytes, stream), "cudaMemsetAsync");
  for_tables<TensorChunkTable>(shape, [&](const TensorChunkTable& table) {
    launch("optimiser_norms", optimiser_norms, table_shape(table), stream, table, arrays, norms);
  });
}

void run_in_trust(const MultiTensor& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const Arrays arrays = arrays_of(shape, regions);
  const auto* norms = regions.at<float>(norms_of(shape));
  for_tables<TensorChunkTable>(shape, [&](const TensorChunkTable& table) {
    launch("optimiser_in_trust", optimiser_in_trust, table_shape(table), stream, table, arrays,
           norms);
  });
}

template <class Function>
void run_update(const MultiTensor& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const Arrays arrays = arrays_of(shape, regions);
  const bool aligned = shape.parameters % kFour == 0;
  for_tables<ChunkTable>(shape, [&](const ChunkTable& table) {
    launch("optimiser_update", optimiser_update<Function>, table_shape(table), stream, table,
           arrays, Constants{kDivisor}, aligned);
  });
}

}  // namespace

void enqueue(const MultiTensor& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum MultiTensor::Function;
  switch (shape.function) {
    case sgd:
      return run_update<Sgd>(shape, regions, stream);
    case adam:
      return run_update<Adam>(shape, regions, stream);
    case lamb_moments:
      return run_update<LambMoments>(shape, regions, stream);
    case lamb_norms:
      return run_norms(shape, regions, stream);
    case lamb_apply:
      return run_in_trust(shape, regions, stream);
    case scale_first:
      return run_update<ScaleFirst>(shape, regions, stream);
    case decay:
      return run_update<Decay>(shape, regions, stream);
    case add_first:
      return run_update<AddFirst>(shape, regions, stream);
    case apply_first:
      return run_update<ApplyFirst>(shape, regions, stream);
    case lerp_first:
      return run_update<LerpFirst>(shape, regions, stream);
    case scale_second:
      return run_update<ScaleSecond>(shape, regions, stream);
    case square_second:
      return run_update<SquareSecond>(shape, regions, stream);
    case root_second:
      return run_update<RootSecond>(shape, regions, stream);
    case divide:
      return run_update<Divide>(shape, regions, stream);
    case add_epsilon:
      return run_update<AddEpsilon>(shape, regions, stream);
    case apply_ratio:
      return run_update<ApplyRatio>(shape, regions, stream);
    case unscale:
      return run_update<Unscale>(shape, regions, stream);
  }
}

}  // namespace mimus::kernels::cuda
