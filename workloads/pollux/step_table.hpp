// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workloads/pollux/step_grid.hpp"
#include "workloads/pollux/whole_number_table.hpp"

namespace mimus::workloads {

/// Measured step and synchronisation times of one application by placement and per-GPU batch, in
/// the layout of the Pollux artifact:
///   traces/<app>/placements.csv   placement (one digit per node), local_bsz, step_time, sync_time
///   traces/<app>/scalability.csv  num_nodes, num_replicas, local_bsz, step_time, sync_time
///   interp_table/<app>.csv        the same for whole numbers above four nodes; optional
class PolluxStepTable {
 public:
  /// `folder` holds `traces`. ConfigError when a file is missing or a row is wrong.
  [[nodiscard]] static PolluxStepTable read(const std::string& folder,
                                            std::string_view application);

  /// One step on `per_node` replicas per node, in the order of the ring. As the artifact's
  /// simulator answers: a placement counts as its smallest rotation; a measured one is interpolated
  /// in the batch; others take the table of whole numbers, and where that has no entry the grid of
  /// all measurements (StepGrid). Nothing outside what was measured.
  [[nodiscard]] std::optional<StepTiming> at(std::span<const int> per_node,
                                             std::int64_t per_gpu_batch) const;
  /// As for a placement that was not measured: from what others show at this batch.
  [[nodiscard]] std::optional<StepTiming> of_others(std::span<const int> per_node,
                                                    std::int64_t per_gpu_batch) const;
  /// Every measured gang, by the replicas on its nodes. Where only their sum was recorded they are
  /// spread evenly.
  [[nodiscard]] std::map<std::vector<int>, TimingLine> measured() const;
  /// Measured per-GPU batches of a placement, least and most; nothing when it was not measured.
  [[nodiscard]] std::optional<std::pair<double, double>> batches(
      std::span<const int> per_node) const;

 private:
  void read_placements(const std::string& path);
  void read_scalability(const std::string& path);

  std::map<std::vector<int>, TimingLine> placements_;  ///< by smallest rotation
  std::map<std::pair<int, int>, TimingLine> spread_;   ///< by nodes and replicas
  WholeNumberTable whole_numbers_;
  StepGrid grid_;
};

/// The lexicographically smallest rotation: rings that differ only in where they begin are one.
[[nodiscard]] std::vector<int> smallest_rotation(std::span<const int> per_node);

}  // namespace mimus::workloads
