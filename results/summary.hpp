// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/measured_window.hpp"

namespace mimus::results {

/// The figures of one cell and repetition; formulas in results/README.md. Seconds are emulated.
struct CellSummary {
  std::string cell;   ///< id
  std::string label;  ///< swept values, e.g. "pack / exclusive / fixed"
  std::string campaign;
  int repetition = 0;
  std::string seed, workload_hash;  ///< both equal: the jobs are the same
  std::string status;               ///< running | complete | interrupted | failed
  std::string status_reason;
  std::string path;
  std::string engine;          ///< live | virtual
  std::string measured;        ///< MeasuredWindow::text() of what the rest is of; "": all of it
  bool counts_samples = true;  ///< else progress is recorded run time, and no model is known
  std::int64_t jobs = 0, finished = 0, failed = 0, rejected = 0, unfinished = 0;
  std::int64_t preemptions = 0;  ///< attempts ended by the scheduler
  /// False when the process was killed and recorded no jobs: no p50, p90 and p99 below then.
  bool percentiles_known = true;
  double jct_mean = 0, jct_p50 = 0, jct_p90 = 0, jct_p99 = 0;  ///< of finished jobs [s]
  std::map<std::string, double> queueing_by_cause;  ///< mean per job [s]; causes that occurred
  double queueing_mean = 0, queueing_p50 = 0, queueing_p90 = 0, queueing_p99 = 0;  ///< per job [s]
  double makespan = 0;  ///< last end − first arrival [s]
  double last_end = 0;  ///< since the cell began [s]
  /// The part of the makespan after the last arrival [s], and `gpu_allocated` until then; nothing
  /// where a file of an earlier Mimus does not say, or all jobs arrive at one instant.
  std::optional<double> drain, gpu_allocated_arriving;
  double gpu_allocated = 0;  ///< fraction of GPU time held by tenants, shares counted as such
  bool knows_steps = true;   ///< else the next and the normalised goodput are not known
  double gpu_busy = 0;       ///< fraction of GPU time with device work
  double throughput = 0;     ///< Σ samples ÷ Σ running [samples/s of a running job]
  double efficiency = 0;     ///< progress ÷ samples, mean over jobs weighted by GPU time
  double goodput = 0;        ///< Σ progress ÷ Σ running [samples at M₀/s of a running job]
  double goodput_normalised = 0;    ///< useful step time ÷ running time; 1 is ideal
  double slowdown_mean = 0;         ///< over co-location periods, weighted by time; 0: none
  double slowdown_worst = 0;        ///< of the pair with the largest mean
  std::string slowdown_worst_pair;  ///< "resnet50 beside bert-base"
  double pace_error_median = 0;     ///< |step ÷ modelled − 1| of windows without co-tenants
  double late_share = 0;            ///< share of step time in which the host was behind
  int gpus_lost = 0;                ///< whose workers had died by the end

  bool operator==(const CellSummary&) const = default;
  [[nodiscard]] bool is_complete() const { return status == "complete"; }
  /// Time itself is emulated: no host could fail to keep the pace.
  [[nodiscard]] bool is_virtual() const { return engine == "virtual"; }
  /// The host was behind for more than 1 % of the step time: figures of steps are not those of the
  /// stated cluster.
  [[nodiscard]] bool is_late() const { return late_share > 0.01; }
};

/// What a row of the table stands for.
enum class TableRows {
  cells,  ///< mean ± half-width of the 95 % interval (Student's t) over the complete repetitions
  runs    ///< a single run
};

/// Reads a result file, finished or `.part`; without a window of what the file says is to be
/// measured. Pace and lateness are of the whole run. Throws IoError.
[[nodiscard]] CellSummary summarise(const std::string& path,
                                    const std::optional<MeasuredWindow>& window = std::nullopt);

/// Side-by-side table over cells for a terminal `width` (at least 80) columns wide. The least
/// important columns are left out when it is narrow; `*` marks the best value of a column among
/// complete cells that had the same jobs, when they differ.
[[nodiscard]] std::string format_table(const std::vector<CellSummary>& cells, int width,
                                       TableRows rows = TableRows::cells);
/// The long form of one cell.
[[nodiscard]] std::string format_cell(const CellSummary& cell);
/// A JSON document with stable keys that carry their units; a figure without data is null.
[[nodiscard]] std::string to_json(const std::vector<CellSummary>& cells);

}  // namespace mimus::results
