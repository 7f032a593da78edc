// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/metrics/metric.hpp"
#include "results/totals/measured_window.hpp"
#include "results/totals/type_totals.hpp"

namespace mimus::results {

/// The figures of one cell and repetition; formulas in metrics/metrics.cpp.
struct CellSummary {
  std::string cell;   ///< id
  std::string label;  ///< swept values, e.g. "pack / exclusive / fixed"
  std::string campaign;
  int repetition = 0;
  std::string seed, workload_hash;  ///< both equal: the jobs are the same
  std::string status;               ///< running | complete | interrupted | failed
  std::string status_reason;
  std::string path;
  std::string engine;               ///< live | virtual
  std::string measured;             ///< MeasuredWindow::text() of these figures; "": the whole run
  std::int64_t in_drain = 0;        ///< jobs of this window that ended after the last arrival
  std::string slowdown_worst_pair;  ///< "resnet50 beside bert-base"
  int gpus_lost = 0;                ///< whose workers had died by the end
  std::vector<TypeFigures> types;   ///< with several GPU types; of whole runs
  std::vector<Figure> figures = std::vector<Figure>(metrics().size());  ///< as in metrics()

  /// The figure with the name of a metric.
  [[nodiscard]] const Figure& figure(std::string_view name) const {
    return figures[metric_index(name)];
  }
  void set(std::string_view name, Figure value) { figures[metric_index(name)] = value; }
  /// 0 if it is unknown.
  [[nodiscard]] double value(std::string_view name) const { return figure(name).value_or(0); }
  [[nodiscard]] std::int64_t count(std::string_view name) const {
    return static_cast<std::int64_t>(value(name));
  }

  bool operator==(const CellSummary&) const = default;
  [[nodiscard]] bool is_complete() const { return status == "complete"; }
  /// The host was behind for more than 1 % of the step time, so figures of steps are not those of
  /// the stated cluster. Never true in a virtual run, where time itself is emulated.
  [[nodiscard]] bool is_late() const { return value("late_share") > kLateShare; }
};

/// What a row of the table represents.
enum class TableRows {
  cells,  ///< mean ± half-width of the 95 % interval (Student's t) over the complete repetitions
  runs    ///< a single run
};

/// Reads a result file, finished or `.part`. Without a window, the file says what is measured. Pace
/// and lateness are those of the whole run. Throws IoError.
[[nodiscard]] CellSummary summarise(const std::string& path,
                                    const std::optional<MeasuredWindow>& window = std::nullopt);

/// Side-by-side table over cells for a terminal that is `width` (at least 80) columns wide. If it
/// is narrow, the least important columns are omitted. `*` marks the best value of a column, if
/// values differ, among complete cells that had the same jobs.
[[nodiscard]] std::string format_table(const std::vector<CellSummary>& cells, int width,
                                       TableRows rows = TableRows::cells);
/// The long form of one cell.
[[nodiscard]] std::string format_cell(const CellSummary& cell);
/// The parts of a JSON document for each cell.
enum class JsonParts {
  figures,
  totals  ///< also the rows of `figures`, `totals` and `quantiles` of what is measured
};
/// A JSON document with stable keys that carry their units; a figure without data is null.
[[nodiscard]] std::string to_json(const std::vector<CellSummary>& cells,
                                  JsonParts parts = JsonParts::figures);

}  // namespace mimus::results
