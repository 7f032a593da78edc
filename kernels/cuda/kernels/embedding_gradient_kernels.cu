// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/pair_sort.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/embedding_gradient_kernels.hpp"
#include "kernels/cuda/kernels/embedding_kernels.hpp"
#include "kernels/launch/sorted_rows.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kWarp = 32;
constexpr int kSide = kWarp * kWarp;  ///< threads of the largest block
constexpr unsigned kAllLanes = 0xFFFFFFFFU;

__device__ std::int64_t thread_of_grid() {
  return blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
}

template <class T>
__device__ void add_scaled(T* place, float sum) {
  *place = from_float<T>(to_float(*place) + sum * kScatterScale);
}

/// A block adds 32 columns of all rows. Its warps take 32 rows at once. If several of these rows
/// belong to the same place, the first of their warps adds them all.
template <class T>
__global__ void __launch_bounds__(kSide)
    embedding_add_in_order(T* table, const T* values, const std::int64_t* places, std::int64_t rows,
                           std::int64_t features, std::uint64_t entries) {
  __shared__ float parts[kWarp][kWarp];
  __shared__ std::int64_t targets[kSide];
  const unsigned lane = threadIdx.x;
  const unsigned warp = threadIdx.y;
  const std::int64_t column = blockIdx.x * std::int64_t{kWarp} + lane;
  for (std::int64_t first = 0; first < rows; first += kWarp) {
    const std::int64_t ahead = first % kSide;
    const std::int64_t mine = first + warp * std::int64_t{kWarp} + lane;
    __syncthreads();  // wait until the previous sums are added and the targets read
    if (ahead == 0 && mine < rows) {
      targets[warp * kWarp + lane] =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(places[mine]) % entries);
    }
    const std::int64_t row = first + warp;
    if (row < rows && column < features) {
      parts[warp][lane] = to_float(values[row * features + column]);
    }
    __syncthreads();
    if (row >= rows) continue;
    const std::int64_t target = targets[ahead + warp];
    unsigned same =
        __ballot_sync(kAllLanes, first + lane < rows && targets[ahead + lane] == target);
    if (__ffs(static_cast<int>(same)) != static_cast<int>(warp) + 1 || column >= features) continue;
    float sum = 0.0F;
    for (; same != 0; same &= same - 1) sum += parts[__ffs(static_cast<int>(same)) - 1][lane];
    add_scaled(table + target * features + column, sum);
  }
}

__global__ void __launch_bounds__(kBlockThreads)
    embedding_number_rows(const std::int64_t* places, std::int64_t rows, std::uint64_t entries,
                          std::int64_t* wrapped, std::int64_t* positions) {
  const std::int64_t row = thread_of_grid();
  if (row >= rows) return;
  wrapped[row] = static_cast<std::int64_t>(static_cast<std::uint64_t>(places[row]) % entries);
  positions[row] = row;
}

/// The sorted rows of one place, and the size of each run.
struct Runs {
  const std::int64_t* begins;
  const std::int64_t* counts;  ///< number of runs, number of parts
  std::int64_t rows;

  __device__ std::int64_t end(std::int64_t run) const {
    return run + 1 < counts[0] ? begins[run + 1] : rows;
  }
};

__global__ void __launch_bounds__(kBlockThreads)
    embedding_count_parts(Runs runs, std::int64_t most_runs, std::int64_t* parts) {
  const std::int64_t run = thread_of_grid();
  if (run >= most_runs) return;
  constexpr std::int64_t kRows = SortedRows::kRowsOfAPart;
  parts[run] = run < runs.counts[0] ? (runs.end(run) - runs.begins[run] + kRows - 1) / kRows : 0;
}

__global__ void embedding_sum_parts(const std::int64_t* first_parts, const std::int64_t* parts,
                                    std::int64_t* counts) {
  const std::int64_t last = counts[0] - 1;
  counts[1] = first_parts[last] + parts[last];
}

__global__ void __launch_bounds__(kBlockThreads)
    embedding_place_parts(Runs runs, const std::int64_t* first_parts, const std::int64_t* parts,
                          std::int64_t* part_begins) {
  const std::int64_t run = thread_of_grid();
  if (run >= runs.counts[0]) return;
  for (std::int64_t part = 0; part < parts[run]; ++part) {
    part_begins[first_parts[run] + part] = runs.begins[run] + part * SortedRows::kRowsOfAPart;
  }
}

/// The element of a thread in a matrix whose rows take whole warps.
struct WarpRows {
  std::int64_t row, column;
  __device__ explicit WarpRows(std::int64_t features) {
    const std::int64_t padded = (features + kWarp - 1) / kWarp * kWarp;
    row = thread_of_grid() / padded;
    column = thread_of_grid() % padded;
  }
};

template <class T>
__global__ void __launch_bounds__(kSide)
    embedding_add_parts(const T* values, const std::int64_t* positions,
                        const std::int64_t* part_begins, Runs runs, std::int64_t features,
                        float* sums) {
  const WarpRows at(features);
  if (at.row >= runs.counts[1] || at.column >= features) return;
  const std::int64_t end = at.row + 1 < runs.counts[1] ? part_begins[at.row + 1] : runs.rows;
  float sum = 0.0F;
  for (std::int64_t row = part_begins[at.row]; row < end; ++row) {
    sum += to_float(values[positions[row] * features + at.column]);
  }
  sums[at.row * features + at.column] = sum;
}

template <class T>
__global__ void __launch_bounds__(kSide)
    embedding_add_runs(const float* sums, const std::int64_t* first_parts,
                       const std::int64_t* sorted_places, Runs runs, std::int64_t features,
                       T* table) {
  const WarpRows at(features);
  if (at.row >= runs.counts[0] || at.column >= features) return;
  const std::int64_t end = at.row + 1 < runs.counts[0] ? first_parts[at.row + 1] : runs.counts[1];
  float sum = 0.0F;
  for (std::int64_t part = first_parts[at.row]; part < end; ++part) {
    sum += sums[part * features + at.column];
  }
  add_scaled(table + sorted_places[runs.begins[at.row]] * features + at.column, sum);
}

/// A launch of `threads` threads, one per element.
LaunchShape one_each(std::int64_t threads, int block = kBlockThreads) {
  return {.grid = static_cast<unsigned>((threads + block - 1) / block),
          .block = static_cast<unsigned>(block)};
}

LaunchShape warps_for(std::int64_t rows, std::int64_t features) {
  const std::int64_t padded = (features + kWarp - 1) / kWarp * kWarp;
  return one_each(rows * padded, static_cast<int>(std::min<std::int64_t>(padded, kSide)));
}

template <class T>
void run_in_order(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((shape.features + kWarp - 1) / kWarp);
  launch("embedding_add_in_order", embedding_add_in_order<T>,
         {.grid = blocks, .block = {kWarp, kWarp}}, stream, regions.at<T>(shape.table),
         regions.at<const T>(shape.values), regions.at<const std::int64_t>(shape.places),
         shape.rows, shape.features, static_cast<std::uint64_t>(shape.entries));
}

template <class T>
void run_sorted(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const SortedRows layout(shape.rows, shape.features, shape.entries);
  std::byte* const base = regions.at(shape.scratch);
  const auto at = [base](std::int64_t offset) {
    return reinterpret_cast<std::int64_t*>(base + offset);
  };
  auto* const sums = reinterpret_cast<float*>(base + layout.part_sums);
  const Workspace workspace{base + layout.workspace, layout.workspace_bytes};
  const Runs runs{at(layout.run_begins), at(layout.counts), shape.rows};
  std::int64_t *const first = at(layout.first_parts), *const parts = at(layout.run_parts);
  launch("embedding_number_rows", embedding_number_rows, one_each(shape.rows), stream,
         regions.at<const std::int64_t>(shape.places), shape.rows,
         static_cast<std::uint64_t>(shape.entries), at(layout.places), at(layout.positions));
  sort_pairs(workspace, at(layout.places), at(layout.sorted_places), at(layout.positions),
             at(layout.sorted_positions), shape.rows, stream);
  // The distinct places overwrite the sorted ones.
  find_runs(workspace, at(layout.sorted_places), at(layout.places), at(layout.run_begins),
            at(layout.counts), shape.rows, stream);
  launch("embedding_count_parts", embedding_count_parts, one_each(layout.most_runs), stream, runs,
         layout.most_runs, parts);
  add_before(workspace, parts, first, layout.most_runs, stream);
  launch("embedding_sum_parts", embedding_sum_parts, {.grid = 1, .block = 1}, stream, first, parts,
         at(layout.counts));
  launch("embedding_place_parts", embedding_place_parts, one_each(layout.most_runs), stream, runs,
         first, parts, at(layout.part_begins));
  launch("embedding_add_parts", embedding_add_parts<T>,
         warps_for(layout.most_parts, shape.features), stream, regions.at<const T>(shape.values),
         at(layout.sorted_positions), at(layout.part_begins), runs, shape.features, sums);
  launch("embedding_add_runs", embedding_add_runs<T>, warps_for(layout.most_runs, shape.features),
         stream, sums, first, at(layout.sorted_places), runs, shape.features,
         regions.at<T>(shape.table));
}

}  // namespace

void enqueue_addition(const Embedding& shape, const RegionAddresses& regions, cudaStream_t stream,
                      Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    if (shape.rows > kRowsInOrder) {
      run_sorted<T>(shape, regions, stream);
    } else {
      run_in_order<T>(shape, regions, stream);
    }
  });
}

}  // namespace mimus::kernels::cuda
