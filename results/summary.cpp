// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "results/file_lock.hpp"
#include "results/job_sums.hpp"
#include "results/reader.hpp"
#include "results/recorded_totals.hpp"
#include "results/step_statistics.hpp"

namespace mimus::results {

namespace {

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0.0;
}

double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::int64_t count(const RecordedTotals& totals, std::string_view metric) {
  return static_cast<std::int64_t>(totals.total(metric));
}

void count_jobs(const RecordedTotals& totals, CellSummary& cell) {
  cell.jobs = count(totals, "jobs");
  cell.finished = count(totals, "finished");
  cell.failed = count(totals, "failed");
  cell.rejected = count(totals, "rejected");
  cell.unfinished = count(totals, "unfinished");
  cell.preemptions = count(totals, "preemptions");
}

void measure_times(const RecordedTotals& totals, CellSummary& cell) {
  const auto quantile = [&](const char* metric, double fraction) {
    return totals.quantile(metric, fraction).value_or(0.0);
  };
  cell.percentiles_known = cell.jobs == 0 || totals.quantile("queueing", 0.5).has_value();
  cell.last_end = std::max(0.0, totals.total("last_end"));
  cell.makespan = std::max(0.0, totals.total("last_end") - totals.total("first_arrival"));
  cell.jct_mean = ratio(totals.total("jct"), totals.total("finished"));
  cell.jct_p50 = quantile("jct", 0.50);
  cell.jct_p90 = quantile("jct", 0.90);
  cell.jct_p99 = quantile("jct", 0.99);
  cell.queueing_mean = ratio(totals.total("queueing"), totals.total("jobs"));
  cell.queueing_p50 = quantile("queueing", 0.50);
  cell.queueing_p90 = quantile("queueing", 0.90);
  cell.queueing_p99 = quantile("queueing", 0.99);
}

void charge_queueing(const RecordedTotals& totals, CellSummary& cell) {
  for (const auto& row : totals.totals) {
    if (row.group != kAll || !row.metric.starts_with(kWaitPrefix) || row.value <= 0) continue;
    cell.queueing_by_cause[row.metric.substr(kWaitPrefix.size())] =
        ratio(row.value, totals.total("jobs"));
  }
}

void measure_use(const RecordedTotals& totals, double useful_seconds, CellSummary& cell) {
  const double running = totals.total("running");
  const double up = totals.total("gpu_up_seconds");
  cell.gpu_allocated = ratio(totals.total("gpu_held_seconds"), up);
  cell.gpu_busy = ratio(totals.total("gpu_busy_seconds"), up);
  cell.throughput = ratio(totals.total("samples_processed"), running);
  cell.goodput = ratio(totals.total("progress_samples"), running);
  cell.efficiency =
      ratio(totals.total("efficient_gpu_seconds"), totals.total("sampled_gpu_seconds"));
  cell.goodput_normalised = ratio(useful_seconds, running);
}

// Where the last jobs take long, a run is mostly drain, and so is what it holds of the cluster.
void measure_drain(const RecordedTotals& totals, CellSummary& cell) {
  const double until = totals.total("last_arrival");
  const double up = totals.total("arriving_up_seconds");
  if (cell.jobs == 0 || up <= 0) return;
  cell.drain = std::max(0.0, totals.total("last_end") - until);
  cell.gpu_allocated_arriving = totals.total("arriving_held_seconds") / up;
}

void measure_slowdown(const RecordedTotals& totals, CellSummary& cell) {
  const auto mean = [&](const std::string& group) {
    return ratio(totals.total("slowdown_seconds", group), totals.total("pair_seconds", group));
  };
  cell.slowdown_mean = mean(kAll);
  std::set<std::string> pairs;
  for (const auto& row : totals.totals) {
    if (row.metric == "pair_seconds" && row.group != kAll) pairs.insert(row.group);
  }
  for (const auto& pair : pairs) {
    if (mean(pair) <= cell.slowdown_worst) continue;
    cell.slowdown_worst = mean(pair);
    cell.slowdown_worst_pair = pair;
  }
}

// From the `steps` table, or from what the recorder kept of it. Returns the useful seconds.
double measure_steps(const Reader& reader, CellSummary& cell) {
  if (!reader.recorded("steps")) {
    cell.pace_error_median = number(reader.attribute("pace_error_median"));
    cell.late_share = number(reader.attribute("late_share"));
    return number(reader.attribute("useful_seconds"));
  }
  StepStatistics statistics(cell.is_virtual() ? Pace::emulated : Pace::kept_by_host);
  for (const auto& row : reader.rows<StepRow>()) statistics.add(row);
  cell.pace_error_median = statistics.pace_error_median();
  cell.late_share = statistics.late_share();
  return statistics.useful_seconds();
}

// A killed run cannot say so itself: its file says "running", but nobody holds it.
void describe(const Reader& reader, CellSummary& cell) {
  cell.cell = reader.attribute("cell");
  cell.label = reader.attribute("label");
  cell.campaign = reader.attribute("campaign");
  cell.seed = reader.attribute("seed");
  cell.workload_hash = reader.attribute("workload_hash");
  cell.repetition = static_cast<int>(number(reader.attribute("repetition")));
  cell.engine = reader.attribute("engine");
  const double lost = number(reader.attribute("gpus_lost"));
  cell.gpus_lost = lost > 0 ? static_cast<int>(lost) : 0;  // not known of a run that is under way
  cell.counts_samples = reader.attribute("step_time") != "duration";
  cell.status = reader.attribute("status");
  cell.status_reason = reader.attribute("status_reason");
  if (cell.status == "running" && !is_being_written(cell.path)) {
    cell.status = "interrupted";
    cell.status_reason = "its process ended without a word";
  }
}

}  // namespace

CellSummary summarise(const std::string& path, const std::optional<MeasuredWindow>& window) {
  const Reader reader(path);
  CellSummary cell;
  cell.path = path;
  describe(reader, cell);
  const MeasuredTotals totals = measured_totals(reader, window.value_or(recorded_window(reader)));
  cell.measured = totals.window;
  cell.knows_steps = totals.knows_steps;
  count_jobs(totals, cell);
  measure_times(totals, cell);
  charge_queueing(totals, cell);
  const double useful_seconds = measure_steps(reader, cell);
  measure_use(totals, totals.useful_seconds.value_or(useful_seconds), cell);
  measure_drain(totals, cell);
  measure_slowdown(totals, cell);
  return cell;
}

}  // namespace mimus::results
