// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "results/estimate.hpp"
#include "results/number_text.hpp"
#include "results/summary.hpp"
#include "results/summary_known.hpp"
#include "results/summary_rows.hpp"
#include "results/text_columns.hpp"

namespace mimus::results {

namespace {

enum class Better { lower, higher, neither };
enum class Shown { number, percent };

/// One column of the table. `importance` 0 is kept longest when the terminal is narrow.
struct Figure {
  std::string title;
  std::string unit;
  int importance;
  Better better;
  std::function<std::optional<double>(const CellSummary&)> value;
  Shown shown;
};

std::optional<double> when(bool exists, double value) {
  return exists ? std::optional<double>(value) : std::nullopt;
}

template <double CellSummary::*Member>
std::optional<double> of_finished(const CellSummary& cell) {
  return when(cell.finished > 0, cell.*Member);
}

template <double CellSummary::*Member>
std::optional<double> of_jobs(const CellSummary& cell) {
  return when(cell.jobs > 0, cell.*Member);
}

template <double CellSummary::*Member>
std::optional<double> of_samples(const CellSummary& cell) {
  return when(knows_samples(cell), cell.*Member);
}

template <double CellSummary::*Member>
std::optional<double> of_pairs(const CellSummary& cell) {
  return when(cell.slowdown_mean > 0, cell.*Member);
}

template <double CellSummary::*Member>
std::optional<double> percentile_of_finished(const CellSummary& cell) {
  return when(cell.finished > 0 && cell.percentiles_known, cell.*Member);
}

template <double CellSummary::*Member>
std::optional<double> of_pace(const CellSummary& cell) {
  return when(knows_pace(cell), cell.*Member);
}

std::optional<double> gpu_busy(const CellSummary& cell) {
  return when(knows_busy(cell), cell.gpu_busy);
}

std::optional<double> goodput_normalised(const CellSummary& cell) {
  return when(knows_useful_time(cell), cell.goodput_normalised);
}

const std::vector<Figure>& figures() {
  using Cell = CellSummary;
  constexpr auto kNumber = Shown::number;
  constexpr auto kPercent = Shown::percent;
  static const std::vector<Figure> all{
      {"JCT mean", "s", 0, Better::lower, of_finished<&Cell::jct_mean>, kNumber},
      {"JCT p50", "s", 5, Better::lower, percentile_of_finished<&Cell::jct_p50>, kNumber},
      {"JCT p99", "s", 2, Better::lower, percentile_of_finished<&Cell::jct_p99>, kNumber},
      {"queueing", "s", 1, Better::lower, of_jobs<&Cell::queueing_mean>, kNumber},
      {"makespan", "s", 0, Better::lower, of_jobs<&Cell::makespan>, kNumber},
      {"GPUs held", "%", 1, Better::higher, of_jobs<&Cell::gpu_allocated>, kPercent},
      {"GPUs busy", "%", 2, Better::higher, gpu_busy, kPercent},
      {"throughput", "samples/s", 6, Better::higher, of_samples<&Cell::throughput>, kNumber},
      {"efficiency", "%", 5, Better::higher, of_samples<&Cell::efficiency>, kPercent},
      {"goodput", "samples/s", 3, Better::higher, of_samples<&Cell::goodput>, kNumber},
      {"norm. goodput", "%", 4, Better::higher, goodput_normalised, kPercent},
      {"slowdown", "x", 2, Better::lower, of_pairs<&Cell::slowdown_mean>, kNumber},
      {"worst pair", "x", 4, Better::lower, of_pairs<&Cell::slowdown_worst>, kNumber},
      {"pace error", "%", 7, Better::neither, of_pace<&Cell::pace_error_median>, kPercent},
      {"late", "%", 7, Better::neither, of_pace<&Cell::late_share>, kPercent}};
  return all;
}

/// Over the runs of the row that know the figure.
std::optional<Estimate> estimate_of(const Figure& figure, const SummaryRow& row) {
  std::vector<double> values;
  for (const CellSummary* run : row.runs) {
    if (const auto value = figure.value(*run)) values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(estimate(values));
}

std::string mean_text(const Figure& figure, double mean) {
  return figure.shown == Shown::percent ? percent(mean) : significant(mean);
}

std::string text_of(const Figure& figure, const Estimate& found) {
  if (!found.half_width) return mean_text(figure, found.mean);
  if (figure.shown == Shown::number) return plus_minus(found.mean, *found.half_width);
  return percent(found.mean) + " ±" + percent(*found.half_width);
}

/// The best mean, as text, among complete rows with the same jobs, by these jobs. None where all
/// say the same; half a cell is no better than a whole one.
std::map<std::string, std::string> best_texts(const Figure& figure,
                                              const std::vector<SummaryRow>& rows) {
  std::map<std::string, std::map<double, std::string>> texts;
  for (const SummaryRow& row : rows) {
    if (!row.is_complete()) continue;
    if (const auto found = estimate_of(figure, row)) {
      texts[row.inputs()][found->mean] = mean_text(figure, found->mean);
    }
  }
  std::map<std::string, std::string> best;
  if (figure.better == Better::neither) return best;
  for (const auto& [inputs, means] : texts) {
    const auto& lowest = means.begin()->second;
    const auto& highest = means.rbegin()->second;
    if (lowest != highest) best[inputs] = figure.better == Better::lower ? lowest : highest;
  }
  return best;
}

TextColumn figure_column(const Figure& figure, const std::vector<SummaryRow>& rows) {
  const auto best = best_texts(figure, rows);
  TextColumn column{{figure.title + " ", figure.unit + " "}, 0, figure.importance, false};
  for (const SummaryRow& row : rows) {
    const auto found = estimate_of(figure, row);
    const auto to_match = best.find(row.inputs());
    const bool is_best = found && row.is_complete() && to_match != best.end() &&
                         to_match->second == mean_text(figure, found->mean);
    column.texts.push_back((found ? text_of(figure, *found) : "-") + (is_best ? "*" : " "));
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

/// How many runs a mean is of.
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
      finished += run->finished;
      jobs += run->jobs;
    }
    column.texts.push_back(fmt::format("{}/{}", finished, jobs));
  }
  measure(column);
  return column;
}

/// What was measured; nothing to say where it is the whole run everywhere.
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
  for (const auto& figure : figures()) columns.push_back(figure_column(figure, rows));
  fit(columns, limit);
  return windows_line(rows) + joined(columns);
}

}  // namespace mimus::results
