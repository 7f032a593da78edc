// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mimus::results {

/// The figures of one cell and repetition; formulas in results/README.md. Seconds are emulated.
struct CellSummary {
  std::string cell;   ///< id
  std::string label;  ///< swept values, e.g. "pack / exclusive / fixed"
  int repetition = 0;
  std::string status;
  std::string path;
  int jobs = 0, finished = 0, failed = 0, unfinished = 0;
  double jct_mean = 0, jct_p50 = 0, jct_p99 = 0;
  std::map<std::string, double> queueing_by_cause;  ///< mean per job [s]
  double queueing_mean = 0;
  double makespan = 0;
  double gpu_allocated = 0;  ///< fraction of GPU time held by a tenant
  double gpu_busy = 0;       ///< fraction of GPU time with device work
  double throughput = 0;     ///< samples at M₀-free count per second of run time, see README
  double efficiency = 0;     ///< Σ progress ÷ Σ samples
  double goodput = 0;        ///< normalised: see README
  double slowdown_mean = 0;  ///< over co-location periods, weighted by time; 0 without any
  double slowdown_worst = 0;
  std::string slowdown_worst_pair;
  double pace_error_median = 0;  ///< |step ÷ modelled − 1| of solo windows
  double late_share = 0;         ///< share of step time in which the host was behind
};

[[nodiscard]] CellSummary summarise(const std::string& path);

/// Side-by-side table over cells, for a terminal `width` columns wide.
[[nodiscard]] std::string format_table(const std::vector<CellSummary>& cells, int width);
/// The long form of one cell.
[[nodiscard]] std::string format_cell(const CellSummary& cell);
/// Machine-readable, stable keys.
[[nodiscard]] std::string to_json(const std::vector<CellSummary>& cells);

}  // namespace mimus::results
