// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/region_addresses.hpp"

namespace mimus::kernels::cuda {

/// One kernel of the benchmark. `enqueue` gets regions that point at one of several buffers of
/// `buffer_bytes`, so that no launch finds its operands in a cache.
struct BenchRow {
  std::string name;
  double bytes = 0.0;  ///< that have to cross the memory; 0: not a streaming kernel
  double flop = 0.0;
  std::size_t buffer_bytes = 0;
  std::function<void(const RegionAddresses&, cudaStream_t)> enqueue;
};

class BenchResult {
 public:
  /// Of the times of single launches [s].
  BenchResult(const BenchRow& row, std::vector<double> times);

  [[nodiscard]] const BenchRow& row() const { return *row_; }
  [[nodiscard]] double median() const { return median_; }
  [[nodiscard]] double fastest() const { return fastest_; }
  [[nodiscard]] double slowest() const { return slowest_; }
  [[nodiscard]] double bytes_per_second() const { return row_->bytes / median_; }
  [[nodiscard]] double flop_per_second() const { return row_->flop / median_; }

 private:
  const BenchRow* row_;
  double median_, fastest_, slowest_;
};

/// Each adds its rows to the list; products and convolutions have a file of their own.
using BenchSource = std::function<std::vector<BenchRow>()>;
std::vector<BenchSource>& bench_sources();

/// Registers rows before main: `const RegisterRows kProducts{product_rows};`
struct RegisterRows {
  explicit RegisterRows(BenchSource source) { bench_sources().push_back(std::move(source)); }
};

}  // namespace mimus::kernels::cuda
