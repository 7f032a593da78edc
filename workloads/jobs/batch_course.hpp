// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace mimus::workloads {

/// A training whose own code changes its batch from epoch to epoch.
struct BatchCourse {
  /// With one of its batches.
  struct Mode {
    std::int64_t batch = 1;       ///< of a GPU [samples]
    double rate = 0.0;            ///< iterations/s of its gang
    std::int64_t iterations = 1;  ///< of an epoch
    double epoch_time = 0.0;      ///< [s]
  };
  std::vector<Mode> modes;  ///< it begins with the first one
  double iterations = 0.0;  ///< of the whole training, were the first one kept
  /// Towards which mode the code goes in each epoch, one mode at a time; later epochs: as in the
  /// last one. Hidden.
  std::vector<std::size_t> wanted;
  /// In which mode a profiler has found each epoch. Known to policies.
  std::vector<std::size_t> profiled;

  /// Run time as profiled [s].
  [[nodiscard]] double run_time() const {
    return std::accumulate(
        profiled.begin(), profiled.end(), 0.0,
        [this](double sum, std::size_t mode) { return sum + modes[mode].epoch_time; });
  }
};

}  // namespace mimus::workloads
