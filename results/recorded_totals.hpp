// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "results/cell_totals.hpp"
#include "results/reader.hpp"
#include "results/rows.hpp"

namespace mimus::results {

/// The rows of `totals` and `quantiles` of one cell, by name.
struct RecordedTotals {
  std::vector<TotalRow> totals;
  std::vector<QuantileRow> quantiles;

  /// 0 when there is no such row.
  [[nodiscard]] double total(std::string_view metric, std::string_view group = kAll) const;
  [[nodiscard]] std::optional<double> quantile(std::string_view metric, double fraction) const;
};

/// What the file says of its totals when its cell has stopped in order; else they are computed anew
/// from the tables. Of a killed cell without tables the quantiles are not known.
[[nodiscard]] RecordedTotals read_totals(const Reader& reader);
/// Computes the totals from the tables of rows.
[[nodiscard]] CellTotals totals_of_tables(const Reader& reader);

}  // namespace mimus::results
