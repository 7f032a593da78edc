// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "results/file_lock.hpp"
#include "results/percentile.hpp"
#include "results/reader.hpp"
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

struct Span {
  double begin = 0;
  double end = 0;
  [[nodiscard]] double length() const { return std::max(0.0, end - begin); }
};

// First arrival to last end; a cell that was cut off lasts as long as it was observed.
Span makespan(const std::vector<JobRow>& jobs, const std::vector<UtilisationRow>& utilisation) {
  if (jobs.empty()) return {};
  Span span{std::numeric_limits<double>::infinity(), 0};
  bool all_ended = true;
  for (const auto& job : jobs) {
    span.begin = std::min(span.begin, job.arrival);
    span.end = std::max(span.end, job.end);
    all_ended = all_ended && job.end >= 0;
  }
  if (!all_ended) {
    for (const auto& row : utilisation) span.end = std::max(span.end, row.end);
  }
  return span;
}

void count_outcomes(const std::vector<JobRow>& jobs, CellSummary& cell) {
  cell.jobs = static_cast<int>(jobs.size());
  for (const auto& job : jobs) {
    cell.finished += job.outcome == "finished" ? 1 : 0;
    cell.failed += job.outcome == "failed" ? 1 : 0;
    cell.rejected += job.outcome == "rejected" ? 1 : 0;
  }
  cell.unfinished = cell.jobs - cell.finished - cell.failed - cell.rejected;
}

void measure_completion(const std::vector<JobRow>& jobs, CellSummary& cell) {
  std::vector<double> times;
  double sum = 0;
  for (const auto& job : jobs) {
    if (job.outcome != "finished") continue;
    times.push_back(job.jct);
    sum += job.jct;
  }
  cell.jct_mean = ratio(sum, static_cast<double>(times.size()));
  cell.jct_p50 = percentile(times, 0.50);
  cell.jct_p99 = percentile(times, 0.99);
}

void measure_queueing(const std::vector<JobRow>& jobs, const std::vector<QueueDelayRow>& waits,
                      CellSummary& cell) {
  const auto count = static_cast<double>(jobs.size());
  double sum = 0;
  for (const auto& job : jobs) sum += job.queueing;
  cell.queueing_mean = ratio(sum, count);
  for (const auto& wait : waits) {
    cell.queueing_by_cause[wait.cause] += ratio(wait.end - wait.begin, count);
  }
}

void measure_use(const std::vector<UtilisationRow>& utilisation, const std::vector<GpuRow>& gpus,
                 const Span& window, CellSummary& cell) {
  double held = 0;
  double up = 0;
  for (const auto& row : utilisation) {
    const Span part{std::max(row.begin, window.begin), std::min(row.end, window.end)};
    held += static_cast<double>(row.gpus_held) * part.length();
    up += static_cast<double>(row.gpus) * part.length();
  }
  cell.gpu_allocated = ratio(held, up);
  double busy = 0;
  for (const auto& gpu : gpus) busy += gpu.busy;
  cell.gpu_busy = ratio(busy, static_cast<double>(gpus.size()) * window.length());
}

void measure_rates(const std::vector<JobRow>& jobs, double useful_seconds, CellSummary& cell) {
  double samples = 0;
  double progress = 0;
  double running = 0;
  double weighted_efficiency = 0;
  double weight = 0;
  for (const auto& job : jobs) {
    samples += job.samples_processed;
    progress += job.progress_samples;
    running += job.running;
    if (job.samples_processed <= 0) continue;
    weighted_efficiency += job.gpu_seconds * job.progress_samples / job.samples_processed;
    weight += job.gpu_seconds;
  }
  cell.throughput = ratio(samples, running);
  cell.goodput = ratio(progress, running);
  cell.efficiency = ratio(weighted_efficiency, weight);
  cell.goodput_normalised = ratio(useful_seconds, running);
}

struct WeightedSlowdown {
  double sum = 0;
  double time = 0;
  [[nodiscard]] double mean() const { return ratio(sum, time); }
};

void measure_slowdown(const std::vector<PairRow>& pairs, CellSummary& cell) {
  WeightedSlowdown all;
  std::map<std::string, WeightedSlowdown> by_pair;
  for (const auto& row : pairs) {
    if (row.slowdown <= 0) continue;
    auto& pair = by_pair[fmt::format("{} beside {}", row.model, row.co_models)];
    const double time = row.end - row.begin;
    for (auto* into : {&all, &pair}) {
      into->sum += row.slowdown * time;
      into->time += time;
    }
  }
  cell.slowdown_mean = all.mean();
  for (const auto& [name, pair] : by_pair) {
    if (pair.mean() <= cell.slowdown_worst) continue;
    cell.slowdown_worst = pair.mean();
    cell.slowdown_worst_pair = name;
  }
}

// From the `steps` table, or from what the recorder kept of it.
double measure_steps(const Reader& reader, CellSummary& cell) {
  if (!reader.recorded("steps")) {
    cell.pace_error_median = number(reader.attribute("pace_error_median"));
    cell.late_share = number(reader.attribute("late_share"));
    return number(reader.attribute("useful_seconds"));
  }
  StepStatistics statistics;
  for (const auto& row : reader.rows<StepRow>()) statistics.add(row);
  cell.pace_error_median = statistics.pace_error_median();
  cell.late_share = statistics.late_share();
  return statistics.useful_seconds();
}

// A killed run cannot say so itself: its file says "running", but nobody holds it.
void describe(const Reader& reader, CellSummary& cell) {
  cell.cell = reader.attribute("cell");
  cell.label = reader.attribute("label");
  cell.repetition = static_cast<int>(number(reader.attribute("repetition")));
  cell.status = reader.attribute("status");
  cell.status_reason = reader.attribute("status_reason");
  if (cell.status == "running" && !is_being_written(cell.path)) {
    cell.status = "interrupted";
    cell.status_reason = "its process ended without a word";
  }
}

}  // namespace

CellSummary summarise(const std::string& path) {
  const Reader reader(path);
  CellSummary cell;
  cell.path = path;
  describe(reader, cell);
  const auto jobs = reader.rows<JobRow>();
  const auto utilisation = reader.rows<UtilisationRow>();
  const Span window = makespan(jobs, utilisation);
  cell.makespan = window.length();
  count_outcomes(jobs, cell);
  measure_completion(jobs, cell);
  measure_queueing(jobs, reader.rows<QueueDelayRow>(), cell);
  measure_use(utilisation, reader.rows<GpuRow>(), window, cell);
  measure_rates(jobs, measure_steps(reader, cell), cell);
  measure_slowdown(reader.rows<PairRow>(), cell);
  return cell;
}

}  // namespace mimus::results
