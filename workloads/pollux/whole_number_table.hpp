// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/pollux/step_timing.hpp"

namespace mimus::workloads {

/// What a table of step timings may hold: nodes or replicas of a gang, samples per GPU.
inline constexpr Limits kGangCounts{.min = 1.0, .max = 1e6};
inline constexpr Limits kPerGpuBatches{.min = 1.0, .max = 1e9};

/// Step timings for every whole number of nodes, replicas and samples per GPU in a range: columns
/// num_nodes, num_replicas, local_bsz, step_time, sync_time, rows of one gang together and without
/// gaps in the batch. A run asks for few of the gangs, so rows are read when they are asked for.
class WholeNumberTable {
 public:
  WholeNumberTable() = default;
  /// ConfigError when the file cannot be read, has other columns, or has a gang in two places.
  explicit WholeNumberTable(std::string path);

  /// Nothing outside the table. ConfigError when a row of this gang is wrong.
  [[nodiscard]] std::optional<StepTiming> at(int nodes, int replicas,
                                             std::int64_t per_gpu_batch) const;

 private:
  struct Gang {
    std::size_t begin = 0;  ///< of its rows in text_
    std::size_t end = 0;
    int line = 0;  ///< of the first
    std::int64_t first_batch = 0;
    std::vector<StepTiming> timings;  ///< empty until asked for
  };
  void find_gangs();
  /// The gang of the row at `begin`, whose rows have not been seen before.
  Gang& new_gang(std::size_t begin, int line);
  void read(Gang& gang) const;

  std::string path_;
  std::string text_;
  mutable std::map<std::pair<int, int>, Gang> gangs_;  ///< by nodes and replicas
};

}  // namespace mimus::workloads
