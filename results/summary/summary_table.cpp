// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "results/summary/estimate.hpp"
#include "results/summary/number_text.hpp"
#include "results/summary/summary.hpp"
#include "results/summary/summary_rows.hpp"
#include "results/summary/text_columns.hpp"

namespace mimus::results {

namespace {

std::string heading_unit(const Metric& metric) {
  if (metric.shown == Shown::percent) return "%";
  return metric.shown == Shown::factor ? "x" : metric.unit;
}

/// The estimate over those runs of the row that have the metric.
std::optional<Estimate> estimate_of(const Metric& metric, const SummaryRow& row) {
  std::vector<double> values;
  for (const CellSummary* run : row.runs) {
    if (const auto value = run->figure(metric.name)) values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(estimate(values));
}

std::string mean_text(const Metric& metric, double mean) {
  return metric.shown == Shown::percent ? percent(mean) : significant(mean);
}

std::string text_of(const Metric& metric, const Estimate& found) {
  if (!found.half_width) return mean_text(metric, found.mean);
  if (metric.shown != Shown::percent) return plus_minus(found.mean, *found.half_width);
  return percent(found.mean) + " ±" + percent(*found.half_width);
}

/// The text of the best mean among complete rows with the same jobs, keyed by these jobs. None if
/// all rows are equal. Incomplete cells do not take part.
std::map<std::string, std::string> best_texts(const Metric& metric,
                                              const std::vector<SummaryRow>& rows) {
  std::map<std::string, std::map<double, std::string>> texts;
  for (const SummaryRow& row : rows) {
    if (!row.is_complete()) continue;
    if (const auto found = estimate_of(metric, row)) {
      texts[row.inputs()][found->mean] = mean_text(metric, found->mean);
    }
  }
  std::map<std::string, std::string> best;
  if (metric.better == Better::neither) return best;
  for (const auto& [inputs, means] : texts) {
    const auto& lowest = means.begin()->second;
    const auto& highest = means.rbegin()->second;
    if (lowest != highest) best[inputs] = metric.better == Better::lower ? lowest : highest;
  }
  return best;
}

/// A figure that no row has is the first to go, unless it is always shown.
int importance_of(const Metric& metric, const std::vector<SummaryRow>& rows) {
  constexpr int kFirstToGo = 100;
  const bool known = std::ranges::any_of(
      rows, [&](const SummaryRow& row) { return estimate_of(metric, row).has_value(); });
  return known || metric.importance == 0 ? metric.importance : kFirstToGo;
}

TextColumn figure_column(const Metric& metric, const std::vector<SummaryRow>& rows) {
  const auto best = best_texts(metric, rows);
  TextColumn column{
      {metric.column + " ", heading_unit(metric) + " "}, 0, importance_of(metric, rows), false};
  for (const SummaryRow& row : rows) {
    const auto found = estimate_of(metric, row);
    const auto to_match = best.find(row.inputs());
    const bool is_best = found && row.is_complete() && to_match != best.end() &&
                         to_match->second == mean_text(metric, found->mean);
    column.texts.push_back((found ? text_of(metric, *found) : "-") + (is_best ? "*" : " "));
  }
  measure(column);
  return column;
}

TextColumn label_column(const std::vector<SummaryRow>& rows, std::size_t width) {
  TextColumn column{{"cell", ""}, 0, -1, true};
  for (const SummaryRow& row : rows) column.texts.push_back(row.label);
  shorten(column, width);
  return column;
}

/// The number of runs behind each mean.
TextColumn runs_column(const std::vector<SummaryRow>& rows) {
  TextColumn column{{"runs", ""}, 0, -1, false};
  for (const SummaryRow& row : rows) column.texts.push_back(fmt::format("{}", row.runs.size()));
  measure(column);
  return column;
}

TextColumn jobs_column(const std::vector<SummaryRow>& rows) {
  TextColumn column{{"jobs", "done/all"}, 0, 0, false};
  for (const SummaryRow& row : rows) {
    std::int64_t finished = 0;
    std::int64_t jobs = 0;
    for (const CellSummary* run : row.runs) {
      finished += run->count("jobs_finished");
      jobs += run->count("jobs");
    }
    column.texts.push_back(fmt::format("{}/{}", finished, jobs));
  }
  measure(column);
  return column;
}

/// The measured windows, or "" if every run was measured as a whole.
std::string windows_line(const std::vector<SummaryRow>& rows) {
  std::set<std::string> windows;
  for (const SummaryRow& row : rows) windows.insert(row.measured());
  if (windows == std::set<std::string>{""}) return "";
  if (windows.size() == 1) return fmt::format("measured: {}\n", *windows.begin());
  std::string text;
  for (const SummaryRow& row : rows) {
    const std::string window = row.measured();
    text += fmt::format("measured: {} of {}\n", window.empty() ? "all" : window, row.label);
  }
  return text;
}

}  // namespace

std::string format_table(const std::vector<CellSummary>& cells, int width, TableRows rows_of) {
  if (cells.empty()) return "no cells\n";
  const auto limit = static_cast<std::size_t>(std::max(80, width));
  const auto rows = summary_rows(cells, rows_of);
  std::vector<TextColumn> columns{label_column(rows, limit / 2)};
  const bool any_mean = std::any_of(rows.begin(), rows.end(),
                                    [](const SummaryRow& row) { return row.runs.size() > 1; });
  if (any_mean) columns.push_back(runs_column(rows));
  columns.push_back(jobs_column(rows));
  for (const Metric& metric : metrics()) {
    if (!metric.column.empty()) columns.push_back(figure_column(metric, rows));
  }
  fit(columns, limit);
  return windows_line(rows) + joined(columns);
}

}  // namespace mimus::results
