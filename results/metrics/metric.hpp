// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/totals/recorded_totals.hpp"
#include "results/totals/step_statistics.hpp"

namespace mimus::results {

/// The data from which the figures of a cell are computed: its whole run, or the measured part.
struct Observed {
  RecordedTotals totals;
  StepFigures steps;
  bool knows_steps = true;     ///< else useful and busy time are unknown (sums of steps)
  bool is_virtual = false;     ///< time is emulated, so no host can fail to keep the pace
  bool counts_samples = true;  ///< else progress is recorded run time, and no model is known
};

/// A host that was behind for a larger share of the step time did not emulate the stated cluster.
inline constexpr double kLateShare = 0.01;

/// Nothing if a cell has no data for it.
using Figure = std::optional<double>;

enum class Better { lower, higher, neither };
/// How a figure is printed.
enum class Shown { number, percent, factor, whole };

/// A figure of a summary, declared once. The table of `mimus summary`, its long form and JSON, the
/// table `figures` of results, `metrics` of merged campaigns, docs/results.md and the Python
/// package (metrics.json) all use this declaration.
struct Metric {
  std::string name;       ///< in files and in Python
  std::string unit = {};  ///< "" for a plain number or a fraction
  Better better = Better::lower;
  Shown shown = Shown::number;
  std::string title = {};    ///< in figures and in the report
  std::string formula = {};  ///< in names of tables and columns, with its source
  std::function<Figure(const Observed&)> value = {};
  std::string column = {};     ///< heading in the table; "": not shown there
  int importance = 0;          ///< 0 is kept longest when the terminal is narrow
  std::string line = {};       ///< name in the long form; "": not shown there
  int place = 5;               ///< order of the line: by this, then as in the table
  std::string line_unit = {};  ///< if the line says more than the unit
  std::string key = {};        ///< in JSON, if it is not the name and the unit
  std::string cause = {};      ///< the cause of the wait of which it is the mean
};

/// All of them, in the order of every file.
[[nodiscard]] const std::vector<Metric>& metrics();
/// Index into metrics(). Throws InternalError for an unknown name.
[[nodiscard]] std::size_t metric_index(std::string_view name);
[[nodiscard]] std::vector<Figure> figures_of(const Observed& seen);

/// The name with its unit: "jct_mean_s".
[[nodiscard]] std::string json_key(const Metric& metric);
/// Rows of the table `figures`; unknown values are NaN.
[[nodiscard]] std::vector<FigureRow> figure_rows(const std::vector<Figure>& figures);
/// The reference in Markdown: the text of docs/results.md.
[[nodiscard]] std::string metrics_markdown();
/// The content of metrics.json, which the Python package ships.
[[nodiscard]] std::string metrics_json();

}  // namespace mimus::results
