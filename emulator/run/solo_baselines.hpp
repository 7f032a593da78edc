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

/// Measured solo step times, kept over the cells of a campaign and, in a JSON file, over runs and
/// among those that run at the same time. The file's key says everything a measurement depends on;
/// see baseline_scope().
class BaselineCache {
 public:
  struct Entry {
    double step_seconds = 0.0;  ///< median, emulated
    double modelled_seconds = 0.0;
    std::int64_t steps = 0;  ///< measured
  };

  using Entries = std::map<std::string, Entry>;

  /// Loads `path` if it is there; a file that cannot be read is reported and started afresh.
  explicit BaselineCache(std::string path);
  [[nodiscard]] const Entry* find(const std::string& key) const;
  /// Adds an entry, and what other processes have put into the file meanwhile, and rewrites the
  /// file atomically.
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

/// Obtains the solo baseline of every combination that was co-located, from the cache or by running
/// the model alone for a few steps on the allocation that it had, or on one of the same shape where
/// a GPU is lost, and writes the `baselines` and `pairs` tables. `scope` is the part of the cache
/// key that all measurements of a cell share. Nothing else may be running on `engine`.
void record_interference(Engine& engine, const CoLocationLog& log, BaselineCache& cache,
                         const std::string& scope, const LeftGpus& left,
                         results::Recorder& recorder);

}  // namespace mimus::emulator
