// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/summary/number_text.hpp"
#include "results/summary/summary.hpp"

namespace mimus::results {

namespace {

constexpr const char* kNone = "-";

/// Lines of the form "name   value unit" below a heading.
class Report {
 public:
  explicit Report(const std::string& heading) : text_(heading + "\n") {}

  void line(const std::string& name, const std::string& value) {
    text_ += fmt::format("  {:<22} {}\n", name, value);
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void add_jobs(Report& report, const CellSummary& cell) {
  report.line("status", cell.status_reason.empty()
                            ? cell.status
                            : fmt::format("{}: {}", cell.status, cell.status_reason));
  report.line("file", cell.path);
  if (!cell.measured.empty()) report.line("measured", cell.measured);
  const Figure& killed = cell.figure("jobs_killed");
  report.line("jobs", fmt::format("{}: {} finished, {} failed, {} rejected, {} unfinished",
                                  cell.count("jobs"), cell.count("jobs_finished"),
                                  cell.count("jobs_failed"), cell.count("jobs_rejected"),
                                  cell.count("jobs_unfinished")) +
                          (killed ? fmt::format(", {:.0f} killed", *killed) : ""));
}

std::string value_text(const Metric& metric, const CellSummary& cell) {
  const Figure& figure = cell.figure(metric.name);
  if (!figure) return kNone;
  const std::string pair = metric.name == "slowdown_worst" ? cell.slowdown_worst_pair + ": " : "";
  const std::string& unit = metric.line_unit.empty() ? metric.unit : metric.line_unit;
  switch (metric.shown) {
    case Shown::whole:
      return fmt::format("{:.0f}", *figure);
    case Shown::percent:
      return percent(*figure) + " %";
    case Shown::factor:
      return pair + significant(*figure) + "x";
    case Shown::number:
      break;
  }
  return significant(*figure) + (unit.empty() ? "" : " " + unit);
}

/// Ordered by their declared places. Causes of waits that occurred come in descending order.
std::vector<const Metric*> lines_of(const CellSummary& cell) {
  std::vector<const Metric*> lines;
  for (const Metric& metric : metrics()) {
    const bool is_said = metric.cause.empty() || cell.value(metric.name) > 0;
    if (!metric.line.empty() && is_said) lines.push_back(&metric);
  }
  std::stable_sort(lines.begin(), lines.end(), [&](const Metric* a, const Metric* b) {
    if (a->place != b->place) return a->place < b->place;
    if (a->cause.empty() || b->cause.empty()) return false;
    return std::pair(-cell.value(a->name), a->cause) < std::pair(-cell.value(b->name), b->cause);
  });
  return lines;
}

std::string use_of(const TypeFigures& type) {
  std::string text = fmt::format("{:.0f}: {} % held, {} % busy", type.gpus, percent(type.held),
                                 percent(type.busy));
  if (type.energy >= 0) text += fmt::format(", {} J", significant(type.energy));
  text += fmt::format("; {:.0f} job{}", type.jobs, type.jobs == 1 ? "" : "s");
  if (type.queueing >= 0) text += fmt::format(", queueing {} s", significant(type.queueing));
  return text;
}

}  // namespace

std::string format_cell(const CellSummary& cell) {
  std::string heading = cell.cell;
  if (!cell.label.empty()) heading += fmt::format(" ({})", cell.label);
  Report report(heading + fmt::format(", repetition {}", cell.repetition));
  add_jobs(report, cell);
  for (const Metric* metric : lines_of(cell)) {
    report.line(metric->line, value_text(*metric, cell));
  }
  for (const TypeFigures& type : cell.types) {
    report.line("GPUs of type " + type.type, use_of(type));
  }
  if (cell.gpus_lost > 0) report.line("GPUs lost", std::to_string(cell.gpus_lost));
  return std::move(report).text();
}

}  // namespace mimus::results
