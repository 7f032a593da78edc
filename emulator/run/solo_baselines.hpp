// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "emulator/engine.hpp"
#include "emulator/record/co_location_log.hpp"
#include "results/recorder.hpp"

namespace mimus::emulator {

/// Measured solo step times. They are kept over the cells of a campaign and, in a JSON file, over
/// runs, including simultaneous ones. The file's key contains everything that a measurement depends
/// on; see baseline_scope().
class BaselineCache {
 public:
  struct Entry {
    double step_seconds = 0.0;     ///< median, emulated
    double exposed_seconds = 0.0;  ///< mean, per step; waited for communication
    double busy_seconds = 0.0;     ///< mean, per step and replica; of kernels
    double modelled_seconds = 0.0;
    std::int64_t steps = 0;  ///< measured
  };

  using Entries = std::map<std::string, Entry>;

  /// Loads `path` if it exists. A file that cannot be read is reported and replaced.
  explicit BaselineCache(std::string path);
  [[nodiscard]] const Entry* find(const std::string& key) const;
  /// Adds an entry and those that other processes have added to the file meanwhile, and rewrites
  /// the file atomically.
  void put(const std::string& key, const Entry& entry);

 private:
  std::string path_;
  Entries entries_;
};

/// The GPUs of a cell, and those whose workers have died so far.
struct LeftGpus {
  const scheduler::ClusterShape& shape;
  const std::set<GpuId>& lost;
};

/// Obtains the solo baseline of every co-located combination, from the cache or by running the
/// model alone for a few steps, and writes the `baselines` and `pairs` tables. The run uses the
/// allocation that the combination had, or one of the same shape if a GPU is lost. `scope` is the
/// part of the cache key that all measurements of a cell share. Nothing else may be running on
/// `engine`.
void record_interference(Engine& engine, const CoLocationLog& log, BaselineCache& cache,
                         const std::string& scope, const LeftGpus& left,
                         results::Recorder& recorder);

}  // namespace mimus::emulator
