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

  /// Nothing when there is no such row.
  [[nodiscard]] std::optional<double> find(std::string_view metric,
                                           std::string_view group = kAll) const;
  /// 0 when there is no such row.
  [[nodiscard]] double total(std::string_view metric, std::string_view group = kAll) const;
  /// Of a pair ("resnet50 beside bert-base"), over its co-location periods; 0 without any.
  [[nodiscard]] double slowdown(const std::string& pair) const;
  /// The pair that is slowed down most; "" where nothing was shared.
  [[nodiscard]] std::string worst_pair() const;
  [[nodiscard]] std::optional<double> quantile(std::string_view metric, double fraction) const;
};

/// The totals of the part of a run that is measured.
struct MeasuredTotals : RecordedTotals {
  std::string window;  ///< MeasuredWindow::text(); "" for the whole run
  /// Whether `gpu_busy_seconds` and `useful_seconds` are known: of a window they are sums of steps.
  bool knows_steps = true;
  /// See StepStatistics; nothing where the sum is that of the whole run.
  std::optional<double> useful_seconds;
};

/// What the file says is to be measured of it.
[[nodiscard]] MeasuredWindow recorded_window(const Reader& reader);
/// Throws IoError where the file keeps no jobs to choose from, or when its run is complete and no
/// job is measured. A window that nothing of the run lies outside of gives read_totals().
[[nodiscard]] MeasuredTotals measured_totals(const Reader& reader, const MeasuredWindow& window);

/// What the file says of its totals when its cell has stopped in order; else they are computed anew
/// from the tables. Of a killed cell without tables the quantiles are not known.
[[nodiscard]] RecordedTotals read_totals(const Reader& reader);
/// Computes the totals from the tables of rows.
[[nodiscard]] CellTotals totals_of_tables(const Reader& reader);

}  // namespace mimus::results
