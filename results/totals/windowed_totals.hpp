// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/file/reader.hpp"
#include "results/totals/cell_totals.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::results {

/// The totals of a window. Jobs are those of the window, with all their time; GPU time is that
/// within `span`.
struct WindowedTotals {
  CellTotals totals;
  TimeWindow span;              ///< [s]; its end is infinite while measured jobs have not ended
  double measured_jobs = 0;     ///< of
  double run_jobs = 0;          ///< number of jobs with rows in the file
  TimeWindow run_arrivals;      ///< first and last [s]
  std::int64_t in_drain = 0;    ///< measured jobs that ended after the last of these
  bool is_whole_run = false;    ///< the window contains the whole run; `totals` are left empty
  bool steps_recorded = false;  ///< otherwise the next and busy time are not known
  double useful_seconds = 0;    ///< as in StepStatistics, of the measured jobs
};

/// Computed from the tables of rows, which the file must have. For a window of jobs the span is
/// that of the measured jobs, from the first arrival to the last end; else it is the window's part
/// of the run. Busy time is Σ steps · device_busy · replicas over the rows of `steps`, each spread
/// evenly over its time, because `gpus` has only that of the whole run.
[[nodiscard]] WindowedTotals totals_of_window(const Reader& reader, const MeasuredWindow& window);

}  // namespace mimus::results
