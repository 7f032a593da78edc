// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/file/reader.hpp"
#include "results/totals/cell_totals.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::results {

/// The totals of what a window measures. Jobs are those of the window, with all their time; the GPU
/// time is that within `span`.
struct WindowedTotals {
  CellTotals totals;
  TimeWindow span;              ///< [s]; its end is infinite while measured jobs have not ended
  double measured_jobs = 0;     ///< of
  double run_jobs = 0;          ///< all that the file has rows of
  TimeWindow run_arrivals;      ///< first and last [s]
  bool is_whole_run = false;    ///< nothing of the run lies outside; `totals` are left empty
  bool steps_recorded = false;  ///< else the next is not known, nor is the GPUs' busy time
  double useful_seconds = 0;    ///< as StepStatistics has it, of the measured jobs
};

/// From the tables of rows, which the file must have. The span is that of the measured jobs, from
/// the first arrival to the last end, where the window is one of jobs; else its part of the run.
/// Busy time is Σ steps · device_busy · replicas over the rows of `steps`, each spread evenly over
/// its time: `gpus` has that of the whole run only.
[[nodiscard]] WindowedTotals totals_of_window(const Reader& reader, const MeasuredWindow& window);

}  // namespace mimus::results
