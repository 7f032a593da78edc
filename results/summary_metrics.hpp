// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/summary.hpp"

namespace mimus::results {

/// One figure of a cell by name, as the table `metrics` of a merged campaign has it.
struct CellMetric {
  std::string name;
  std::string unit;  ///< "" for a plain number or a fraction
  std::string description;
  std::function<std::optional<double>(const CellSummary&)> value;  ///< nothing where not known
};

/// All of them, in the order of the table.
[[nodiscard]] const std::vector<CellMetric>& cell_metrics();

}  // namespace mimus::results
