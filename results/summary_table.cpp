// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "results/number_text.hpp"
#include "results/summary.hpp"
#include "results/summary_known.hpp"

namespace mimus::results {

namespace {

enum class Better { lower, higher, neither };

/// One column of the table. `importance` 0 is kept longest when the terminal is narrow.
struct Figure {
  std::string title;
  std::string unit;
  int importance;
  Better better;
  std::function<std::optional<double>(const CellSummary&)> value;
  std::function<std::string(double)> text;
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

std::optional<double> goodput_normalised(const CellSummary& cell) {
  return when(knows_useful_time(cell), cell.goodput_normalised);
}

const std::vector<Figure>& figures() {
  using Cell = CellSummary;
  static const std::vector<Figure> all{
      {"JCT mean", "s", 0, Better::lower, of_finished<&Cell::jct_mean>, significant},
      {"JCT p50", "s", 5, Better::lower, percentile_of_finished<&Cell::jct_p50>, significant},
      {"JCT p99", "s", 2, Better::lower, percentile_of_finished<&Cell::jct_p99>, significant},
      {"queueing", "s", 1, Better::lower, of_jobs<&Cell::queueing_mean>, significant},
      {"makespan", "s", 0, Better::lower, of_jobs<&Cell::makespan>, significant},
      {"GPUs held", "%", 1, Better::higher, of_jobs<&Cell::gpu_allocated>, percent},
      {"GPUs busy", "%", 2, Better::higher, of_jobs<&Cell::gpu_busy>, percent},
      {"throughput", "samples/s", 6, Better::higher, of_jobs<&Cell::throughput>, significant},
      {"efficiency", "%", 5, Better::higher, of_jobs<&Cell::efficiency>, percent},
      {"goodput", "samples/s", 3, Better::higher, of_jobs<&Cell::goodput>, significant},
      {"norm. goodput", "%", 4, Better::higher, goodput_normalised, percent},
      {"slowdown", "x", 2, Better::lower, of_pairs<&Cell::slowdown_mean>, significant},
      {"worst pair", "x", 4, Better::lower, of_pairs<&Cell::slowdown_worst>, significant},
      {"pace error", "%", 7, Better::neither, of_pace<&Cell::pace_error_median>, percent},
      {"late", "%", 7, Better::neither, of_pace<&Cell::late_share>, percent}};
  return all;
}

/// A column ready to print: title, unit, then one text per cell.
struct TextColumn {
  std::vector<std::string> texts;
  std::size_t width = 0;
  int importance = 0;
  bool left = false;
};

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// Terminals count characters, not the bytes of UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// Where the character of this number begins [bytes]; the end where there are fewer.
std::size_t start_of(const std::string& text, std::size_t character) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && seen++ == character) break;
  }
  return at;
}

std::string pad(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, characters(text)), ' ');
  return left ? text + space : space + text;
}

void measure(TextColumn& column) {
  for (const auto& text : column.texts) column.width = std::max(column.width, characters(text));
}

// Nothing is marked when all cells print the same value; half a cell is no better than a whole one.
std::optional<std::string> best_text(const Figure& figure, const std::vector<CellSummary>& cells) {
  std::map<double, std::string> texts;
  for (const auto& cell : cells) {
    if (!cell.is_complete()) continue;
    if (const auto value = figure.value(cell)) texts[*value] = figure.text(*value);
  }
  if (figure.better == Better::neither || texts.empty()) return std::nullopt;
  const auto& lowest = texts.begin()->second;
  const auto& highest = texts.rbegin()->second;
  if (lowest == highest) return std::nullopt;
  return figure.better == Better::lower ? lowest : highest;
}

TextColumn figure_column(const Figure& figure, const std::vector<CellSummary>& cells) {
  const auto best = best_text(figure, cells);
  TextColumn column{{figure.title + " ", figure.unit + " "}, 0, figure.importance, false};
  for (const auto& cell : cells) {
    const auto value = figure.value(cell);
    const std::string text = value ? figure.text(*value) : "-";
    const bool is_best = value && cell.is_complete() && best == text;
    column.texts.push_back(text + (is_best ? "*" : " "));
  }
  measure(column);
  return column;
}

std::string row_label(const CellSummary& cell, bool repeated) {
  std::string label = cell.label.empty() ? cell.cell : cell.label;
  if (repeated) label += fmt::format(" r{}", cell.repetition);
  if (!cell.is_complete()) label += fmt::format(" ({})", cell.status);
  return label;
}

TextColumn label_column(const std::vector<CellSummary>& cells) {
  std::map<std::string, int> uses;
  for (const auto& cell : cells) ++uses[cell.label];
  TextColumn column{{"cell", ""}, 0, -1, true};
  for (const auto& cell : cells) column.texts.push_back(row_label(cell, uses[cell.label] > 1));
  measure(column);
  return column;
}

TextColumn jobs_column(const std::vector<CellSummary>& cells) {
  TextColumn column{{"jobs", "done/all"}, 0, 0, false};
  for (const auto& cell : cells) {
    column.texts.push_back(fmt::format("{}/{}", cell.finished, cell.jobs));
  }
  measure(column);
  return column;
}

std::size_t total_width(const std::vector<TextColumn>& columns) {
  std::size_t width = 0;
  for (const auto& column : columns) width += column.width + 1;
  return width - 1;
}

// Leaves out the rightmost of the least important columns until the rest fits.
void fit(std::vector<TextColumn>& columns, std::size_t width) {
  while (total_width(columns) > width) {
    auto victim = columns.end();
    for (auto column = columns.begin(); column != columns.end(); ++column) {
      const int least = victim == columns.end() ? 1 : victim->importance;
      if (column->importance >= least) victim = column;
    }
    if (victim == columns.end()) return;
    columns.erase(victim);
  }
}

// Labels that are still too long are cut in the middle: both ends tell cells apart.
void shorten_labels(TextColumn& labels, std::size_t width) {
  labels.width = 0;
  for (auto& text : labels.texts) {
    const std::size_t length = characters(text);
    if (length <= width) continue;
    const std::size_t head = (width - 2) / 2;
    const std::size_t tail = width - 2 - head;
    text = text.substr(0, start_of(text, head)) + ".." + text.substr(start_of(text, length - tail));
  }
  measure(labels);
}

}  // namespace

std::string format_table(const std::vector<CellSummary>& cells, int width) {
  if (cells.empty()) return "no cells\n";
  const auto limit = static_cast<std::size_t>(std::max(80, width));
  std::vector<TextColumn> columns{label_column(cells)};
  shorten_labels(columns.front(), limit / 2);
  columns.push_back(jobs_column(cells));
  for (const auto& figure : figures()) columns.push_back(figure_column(figure, cells));
  fit(columns, limit);
  std::string text;
  for (std::size_t row = 0; row < columns.front().texts.size(); ++row) {
    std::string line;
    for (const auto& column : columns) {
      line += pad(column.texts[row], column.width, column.left) + " ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace mimus::results
