// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace mimus::workloads {

/// A training whose own code changes its batch from epoch to epoch.
struct BatchCourse {
  /// One of its batches.
  struct Mode {
    std::int64_t batch = 1;       ///< per GPU [samples]
    double rate = 0.0;            ///< iterations/s of the gang
    std::int64_t iterations = 1;  ///< of an epoch
    double epoch_time = 0.0;      ///< [s]
  };
  std::vector<Mode> modes;  ///< the training begins with the first one
  double iterations = 0.0;  ///< of the whole training with the first mode
  /// The mode towards which the code moves in each epoch, by one mode at a time. Later epochs are
  /// as the last one. Hidden.
  std::vector<std::size_t> wanted;
  /// The mode of each epoch as a profiler has measured it. Known to policies.
  std::vector<std::size_t> profiled;

  /// Run time as profiled [s].
  [[nodiscard]] double run_time() const {
    return std::accumulate(
        profiled.begin(), profiled.end(), 0.0,
        [this](double sum, std::size_t mode) { return sum + modes[mode].epoch_time; });
  }
};

}  // namespace mimus::workloads
