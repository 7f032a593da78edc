// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/summary/summary.hpp"

namespace mimus::results {

/// A line of the table; it shows the mean over `runs`.
struct SummaryRow {
  std::string label;
  std::vector<const CellSummary*> runs;  ///< complete repetitions of a cell, or a single run

  [[nodiscard]] bool is_complete() const { return runs.front()->is_complete(); }
  [[nodiscard]] const std::string& measured() const { return runs.front()->measured; }
  /// Equal texts mean equal jobs: repetitions, seeds and workloads of the runs, and the measured
  /// window.
  [[nodiscard]] std::string inputs() const;
};

/// In the order of the cells, to which the rows point. A cell without a complete repetition has a
/// row per run. So have files of one label and repetition, which are not repetitions.
[[nodiscard]] std::vector<SummaryRow> summary_rows(const std::vector<CellSummary>& cells,
                                                   TableRows rows);

}  // namespace mimus::results
