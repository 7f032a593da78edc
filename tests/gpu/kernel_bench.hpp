// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/runtime/region_addresses.hpp"

namespace mimus::kernels::cuda {

/// One kernel of the benchmark. `enqueue` gets regions that point at one of several buffers of
/// `buffer_bytes`, so that no launch finds its operands in a cache.
struct BenchRow {
  std::string name;
  double bytes = 0.0;  ///< that have to cross the memory; 0: not a streaming kernel
  double flop = 0.0;
  std::size_t buffer_bytes = 0;
  /// The row whose rate this one is to reach `bound` of. Neighbouring rows of the same yardstick,
  /// itself among them, take turns, so that the clocks are the same for all. Empty: a row of its
  /// own, of which a streaming kernel is held against the copy.
  std::string yardstick;
  double bound = 0.0;
  std::function<void(const RegionAddresses&, cudaStream_t)> enqueue;
};

/// The times of single launches [s], or why there are none.
class BenchResult {
 public:
  BenchResult(const BenchRow& row, std::vector<double> times);
  BenchResult(const BenchRow& row, std::string error);

  [[nodiscard]] const BenchRow& row() const { return *row_; }
  [[nodiscard]] const std::string& error() const { return error_; }  ///< empty: it was measured
  [[nodiscard]] double median() const { return median_; }
  [[nodiscard]] double fastest() const { return fastest_; }
  [[nodiscard]] double slowest() const { return slowest_; }
  [[nodiscard]] double bytes_per_second() const { return row_->bytes / median_; }
  [[nodiscard]] double flop_per_second() const { return row_->flop / median_; }

 private:
  const BenchRow* row_;
  std::string error_;
  double median_ = 0.0, fastest_ = 0.0, slowest_ = 0.0;
};

/// The driver's own copy on the device, bytes read and bytes written: what streaming kernels are
/// held against.
[[nodiscard]] BenchRow copy_row();
/// Keeps the device busy until its clocks have risen.
void warm_up(const BenchRow& row);
/// Measures all rows, a group after the other, and says on stderr how far it is. A row that fails
/// leaves the others alone.
[[nodiscard]] std::vector<BenchResult> measured(const std::vector<BenchRow>& rows);

/// Each adds its rows to the list; products and convolutions have a file of their own.
using BenchSource = std::function<std::vector<BenchRow>()>;
std::vector<BenchSource>& bench_sources();

/// Registers rows before main: `const RegisterRows kProducts{product_rows};`
struct RegisterRows {
  explicit RegisterRows(BenchSource source) { bench_sources().push_back(std::move(source)); }
};

}  // namespace mimus::kernels::cuda
