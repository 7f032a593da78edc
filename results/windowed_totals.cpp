// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/windowed_totals.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "results/step_statistics.hpp"

namespace mimus::results {

namespace {

/// First arrival to last end of some jobs.
struct Lifetime {
  double begin = std::numeric_limits<double>::infinity();
  double last_arrival = -1;
  double last_end = -1;
  bool all_ended = true;
  double jobs = 0;

  void add(const JobRow& row) {
    begin = std::min(begin, row.arrival);
    last_arrival = std::max(last_arrival, row.arrival);
    last_end = std::max(last_end, row.end);
    all_ended = all_ended && row.end >= 0;
    jobs += 1;
  }
  [[nodiscard]] double end() const {
    return all_ended ? last_end : std::numeric_limits<double>::infinity();
  }
};

/// Which rows of the tables belong to a window.
struct Selection {
  std::vector<JobRow> jobs;
  std::unordered_set<std::int64_t> ids;
  Lifetime measured;
  Lifetime run;
  TimeWindow span;
};

Selection select(const Reader& reader, const MeasuredWindow& window) {
  Selection chosen;
  for (JobRow& row : reader.rows<JobRow>()) {
    chosen.run.add(row);
    if (!window.measures(row.job, row.arrival)) continue;
    chosen.measured.add(row);
    chosen.ids.insert(row.job);
    chosen.jobs.push_back(std::move(row));
  }
  chosen.span = window.is_of_jobs() ? TimeWindow{chosen.measured.begin, chosen.measured.end()}
                                    : TimeWindow{std::max(window.from, chosen.run.begin),
                                                 std::min(window.until, chosen.run.end())};
  return chosen;
}

bool covers_run(const Selection& chosen) {
  return chosen.measured.jobs == chosen.run.jobs && chosen.span.begin <= chosen.run.begin &&
         chosen.span.end >= chosen.run.end();
}

/// How much of the steps from `begin` to `end`, which are spread evenly, lies within the span.
double share_within(const TimeWindow& span, double begin, double end) {
  if (end <= begin) return span.begin <= begin && begin < span.end ? 1.0 : 0.0;
  const double within = std::min(end, span.end) - std::max(begin, span.begin);
  return std::max(0.0, within) / (end - begin);
}

void add_utilisation(const Reader& reader, const TimeWindow& span, CellTotals& totals) {
  for (UtilisationRow row : reader.rows<UtilisationRow>()) {
    row.begin = std::max(row.begin, span.begin);
    row.end = std::min(row.end, span.end);
    if (row.begin < row.end) totals.add(row);
  }
}

void add_pairs(const Reader& reader, const Selection& chosen, CellTotals& totals) {
  for (const auto& row : reader.rows<PairRow>()) {
    if (chosen.ids.contains(row.job)) totals.add(row);
  }
  if (reader.recorded("totals")) return;
  for (const auto& row : reader.rows<QueueDelayRow>()) {  // files of the first releases
    if (chosen.ids.contains(row.job)) totals.add(row);
  }
}

/// A step is device time of each replica.
std::map<std::int64_t, double> replicas_of_attempts(const Reader& reader) {
  std::map<std::int64_t, double> replicas;
  for (const auto& row : reader.rows<AttemptRow>()) {
    replicas[row.attempt] = static_cast<double>(row.replicas);
  }
  return replicas;
}

void add_steps(const Reader& reader, const Selection& chosen, WindowedTotals& out) {
  out.steps_recorded = reader.recorded("steps");
  if (!out.steps_recorded) return;
  const auto replicas = replicas_of_attempts(reader);
  StepStatistics useful;
  for (const auto& row : reader.rows<StepRow>()) {
    if (chosen.ids.contains(row.job)) useful.add(row);
    const auto gang = replicas.find(row.attempt);
    out.totals.add_busy(share_within(chosen.span, row.begin, row.end) *
                        static_cast<double>(row.steps) * row.device_busy *
                        (gang == replicas.end() ? 1.0 : gang->second));
  }
  out.useful_seconds = useful.useful_seconds();
}

}  // namespace

WindowedTotals totals_of_window(const Reader& reader, const MeasuredWindow& window) {
  const Selection chosen = select(reader, window);
  WindowedTotals out{.totals = CellTotals(chosen.span),
                     .span = chosen.span,
                     .measured_jobs = chosen.measured.jobs,
                     .run_jobs = chosen.run.jobs,
                     .run_arrivals = {chosen.run.begin, chosen.run.last_arrival},
                     .is_whole_run = covers_run(chosen)};
  if (out.is_whole_run || chosen.jobs.empty()) return out;
  for (const double time : {chosen.span.begin, chosen.measured.last_arrival}) {
    out.totals.arrived(time);
  }
  for (const auto& row : chosen.jobs) out.totals.add(row);
  add_utilisation(reader, chosen.span, out.totals);
  for (GpuRow row : reader.rows<GpuRow>()) {
    row.busy = 0;  // over the whole run
    out.totals.add(row);
  }
  add_pairs(reader, chosen, out.totals);
  add_steps(reader, chosen, out);
  return out;
}

}  // namespace mimus::results
