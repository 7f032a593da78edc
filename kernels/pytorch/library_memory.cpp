// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/library_memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kMultiprocessors = 132;
constexpr std::int64_t kThreadsAtATime = 2048;  ///< per multiprocessor
constexpr std::int64_t kLargestBlock = 512;
constexpr std::int64_t kWarpThreads = 32;

std::int64_t quotient_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::int64_t power_below(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

}  // namespace

RowSum::RowSum(std::int64_t rows, std::int64_t columns) {
  if (columns < 2) return;  // the blocks that sum one column need no memory
  const std::int64_t vector = columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;
  const std::int64_t outputs = columns / vector;
  const std::int64_t threads = kLargestBlock / vector;
  const std::int64_t height =
      std::min(power_below(rows), threads / std::min(power_below(outputs), kWarpThreads));
  const std::int64_t width = std::min(power_below(outputs), threads / height);
  constexpr std::int64_t kFewValues = 16, kManyValues = 256;  // per thread
  if (rows < height * kFewValues && rows < kManyValues) return;
  const std::int64_t values = quotient_up(rows, height);
  const std::int64_t grid = quotient_up(outputs, width);
  const std::int64_t target = kMultiprocessors * (kThreadsAtATime / (width * height));
  if (values < kManyValues || grid > target) return;
  const std::int64_t blocks =
      std::max(std::min(quotient_up(target, grid), quotient_up(values, kFewValues)),
               quotient_up(values, kManyValues));
  if (blocks < 2) return;
  partial_sums = kFloat * columns * blocks * width * vector;
  semaphores = static_cast<std::int64_t>(sizeof(int)) * grid;
}

SortedGradient::SortedGradient(std::int64_t rows, std::int64_t features, std::int64_t entries) {
  constexpr std::int64_t kRowsOfAPart = 10;
  const std::int64_t most_runs = std::min(rows, entries);
  const std::int64_t most_parts = rows / kRowsOfAPart + most_runs;
  places = kIndex * rows;
  sort = 2 * kIndex * rows + rows / 4 + 16895;  // CUB's radix sort; taken from a trace
  runs = kIndex * most_runs;
  parts = kIndex * most_parts;
  part_sums = kFloat * most_parts * features;
}

std::int64_t recurrent_work_space(const workloads::LayerGeometry& gru, std::int64_t batch) {
  constexpr std::int64_t kConstant = 16 << 20;
  constexpr double kPerInput = 8.875, kPerState = 8.65;
  const std::int64_t states = gru.directions * gru.hidden;
  const std::int64_t weights = kHalfFloat * 3 * states * (gru.in + gru.hidden);
  const double step =
      kPerInput * static_cast<double>(gru.in) + kPerState * static_cast<double>(states);
  return kConstant + weights + std::llround(static_cast<double>(batch * gru.steps) * step);
}

}  // namespace mimus::kernels
