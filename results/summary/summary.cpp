// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/summary.hpp"

#include <charconv>

#include "results/file/file_lock.hpp"
#include "results/file/reader.hpp"
#include "results/totals/recorded_totals.hpp"
#include "results/totals/step_statistics.hpp"

namespace mimus::results {

namespace {

double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Computed from the `steps` table, or from what the recorder kept of it.
StepFigures step_figures(const Reader& reader, bool is_virtual) {
  if (!reader.recorded("steps")) {
    return {number(reader.attribute("off_solo_median")), number(reader.attribute("late_share")),
            number(reader.attribute("useful_seconds"))};
  }
  StepStatistics statistics(is_virtual ? Pace::emulated : Pace::kept_by_host);
  for (const auto& row : reader.rows<StepRow>()) statistics.add(row);
  return statistics.figures();
}

Observed observed(const Reader& reader, MeasuredTotals totals) {
  Observed seen;
  seen.is_virtual = reader.attribute("engine") == "virtual";
  seen.counts_samples = reader.attribute("step_time") != "duration";
  seen.knows_steps = totals.knows_steps;
  seen.steps = step_figures(reader, seen.is_virtual);
  seen.steps.useful_seconds = totals.useful_seconds.value_or(seen.steps.useful_seconds);
  seen.totals = std::move(totals);
  return seen;
}

// A killed run cannot update its file, which still says "running" although no process holds it.
void describe(const Reader& reader, CellSummary& cell) {
  cell.cell = reader.attribute("cell");
  cell.label = reader.attribute("label");
  cell.campaign = reader.attribute("campaign");
  cell.seed = reader.attribute("seed");
  cell.workload_hash = reader.attribute("workload_hash");
  cell.repetition = static_cast<int>(number(reader.attribute("repetition")));
  cell.engine = reader.attribute("engine");
  const double lost = number(reader.attribute("gpus_lost"));
  cell.gpus_lost = lost > 0 ? static_cast<int>(lost) : 0;  // unknown while the run is under way
  cell.status = reader.attribute("status");
  cell.status_reason = reader.attribute("status_reason");
  if (cell.status == "running" && !is_being_written(cell.path)) {
    cell.status = "interrupted";
    cell.status_reason = "its process ended without a report";
  }
}

}  // namespace

CellSummary summarise(const std::string& path, const std::optional<MeasuredWindow>& window) {
  const Reader reader(path);
  CellSummary cell;
  cell.path = path;
  describe(reader, cell);
  MeasuredTotals totals = measured_totals(reader, window.value_or(recorded_window(reader)));
  cell.measured = totals.window;
  cell.in_drain = totals.in_drain;
  const Observed seen = observed(reader, std::move(totals));
  cell.slowdown_worst_pair = seen.totals.worst_pair();
  cell.types = type_figures(seen.totals.totals);
  cell.figures = figures_of(seen);
  return cell;
}

}  // namespace mimus::results
