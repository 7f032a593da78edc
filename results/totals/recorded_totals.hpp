// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/file/reader.hpp"
#include "results/schema/rows.hpp"
#include "results/totals/cell_totals.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::results {

/// The rows of `totals` and `quantiles` of one cell, by name.
struct RecordedTotals {
  std::vector<TotalRow> totals;
  std::vector<QuantileRow> quantiles;

  /// Nothing if there is no such row.
  [[nodiscard]] std::optional<double> find(std::string_view metric,
                                           std::string_view group = kAll) const;
  /// 0 if there is no such row.
  [[nodiscard]] double total(std::string_view metric, std::string_view group = kAll) const;
  /// Slowdown of a pair ("resnet50 beside bert-base"), over its co-location periods; 0 without any.
  [[nodiscard]] double slowdown(const std::string& pair) const;
  /// The pair with the largest slowdown; "" if nothing was shared.
  [[nodiscard]] std::string worst_pair() const;
  [[nodiscard]] std::optional<double> quantile(std::string_view metric, double fraction) const;
};

/// The totals of the measured part of a run.
struct MeasuredTotals : RecordedTotals {
  std::string window;  ///< MeasuredWindow::text(); "" for the whole run
  /// Whether `gpu_busy_seconds` and `useful_seconds` are known. For a window they are sums of
  /// steps.
  bool knows_steps = true;
  /// See StepStatistics; nothing if the sum covers the whole run.
  std::optional<double> useful_seconds;
  /// Jobs of the window that ended after the last job of the run had arrived, in a cluster that
  /// emptied.
  std::int64_t in_drain = 0;
};

/// The window that the file's campaign measures.
[[nodiscard]] MeasuredWindow recorded_window(const Reader& reader);
/// Throws IoError if the file keeps no rows of jobs, or if its run is complete and no job is
/// measured. A window that contains the whole run gives read_totals().
[[nodiscard]] MeasuredTotals measured_totals(const Reader& reader, const MeasuredWindow& window);

/// The totals in the file if its cell has stopped in order; otherwise they are computed again from
/// the tables. The quantiles of a killed cell without tables are unknown.
[[nodiscard]] RecordedTotals read_totals(const Reader& reader);
/// Computes the totals from the tables of rows.
[[nodiscard]] CellTotals totals_of_tables(const Reader& reader);

}  // namespace mimus::results
