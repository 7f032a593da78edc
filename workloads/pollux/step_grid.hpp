// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "workloads/pollux/step_timing.hpp"

namespace mimus::workloads {

/// Linear between the two nearest batches; nothing outside the measured range or of an empty line.
[[nodiscard]] std::optional<StepTiming> timing_at(const TimingLine& line, double per_gpu_batch);

/// Step timings over (nodes, replicas, per-GPU batch), for gangs whose placement was not measured:
/// linear in the batch, then in the replicas on one number of nodes, then in the number of nodes
/// at equal replicas per node. More nodes than were measured count as the most measured.
class StepGrid {
 public:
  /// Adds to the point's mean.
  void add(int nodes, int replicas, double per_gpu_batch, StepTiming timing);
  /// Nothing where the grid has no points on both sides.
  [[nodiscard]] std::optional<StepTiming> at(int nodes, int replicas, double per_gpu_batch) const;

 private:
  struct Cell {
    StepTiming sum;
    int count = 0;
  };
  using Line = std::map<double, Cell>;      ///< over the per-GPU batch
  using Replicas = std::map<double, Line>;  ///< over the replicas
  [[nodiscard]] static std::optional<StepTiming> on_line(const Line& line, double per_gpu_batch);
  [[nodiscard]] static std::optional<StepTiming> on_nodes(const Replicas& lines, double replicas,
                                                          double per_gpu_batch);

  std::map<double, Replicas> by_nodes_;
};

}  // namespace mimus::workloads
