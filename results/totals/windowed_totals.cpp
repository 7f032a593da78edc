// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/windowed_totals.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "results/totals/step_statistics.hpp"

namespace mimus::results {

namespace {

/// The time from the first arrival to the last end of some jobs.
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

/// Selects the rows of the tables that belong to a window.
struct Selection {
  std::vector<JobRow> jobs;
  std::vector<double> active;  ///< of each of these jobs, including jobs outside
  double gpu_seconds = 0;      ///< of the whole run
  std::unordered_set<std::int64_t> ids;
  std::int64_t in_drain = 0;  ///< measured jobs that ended after the last arrival of the run
  Lifetime measured;
  Lifetime run;
  TimeWindow span;
};

Selection select(const Reader& reader, const MeasuredWindow& window) {
  Selection chosen;
  auto rows = reader.rows<JobRow>();
  const auto active = mean_active(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    JobRow& row = rows[i];
    chosen.run.add(row);
    chosen.gpu_seconds += row.gpu_seconds;
    if (!window.measures(row.job, row.arrival)) continue;
    chosen.measured.add(row);
    chosen.ids.insert(row.job);
    chosen.jobs.push_back(std::move(row));
    chosen.active.push_back(active[i]);
  }
  chosen.in_drain = std::ranges::count_if(
      chosen.jobs, [&](const JobRow& row) { return row.end > chosen.run.last_arrival; });
  chosen.span = window.is_of_jobs() ? TimeWindow{chosen.measured.begin, chosen.measured.end()}
                                    : TimeWindow{std::max(window.from, chosen.run.begin),
                                                 std::min(window.until, chosen.run.end())};
  return chosen;
}

bool covers_run(const Selection& chosen) {
  return chosen.measured.jobs == chosen.run.jobs && chosen.span.begin <= chosen.run.begin &&
         chosen.span.end >= chosen.run.end();
}

/// The fraction of the steps from `begin` to `end` that lies within the span. Steps are spread
/// evenly.
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
  for (const auto& row : reader.rows<QueueDelayRow>()) {  // only in files of the first releases
    if (chosen.ids.contains(row.job)) totals.add(row);
  }
}

void add_decisions(const Reader& reader, const TimeWindow& span, CellTotals& totals) {
  for (const auto& row : reader.rows<DecisionRow>()) {
    if (span.begin <= row.time && row.time <= span.end) totals.add(row);
  }
}

/// The energy that a device used until `time`, interpolated between its samples. [J]
double drawn_until(const std::vector<DeviceSampleRow>& samples, double time) {
  const auto after = std::ranges::lower_bound(samples, time, {}, &DeviceSampleRow::time);
  if (after == samples.begin()) return after->energy;
  const auto before = std::prev(after);
  if (after == samples.end() || after->time <= before->time) return before->energy;
  const double share = (time - before->time) / (after->time - before->time);
  return before->energy + share * (after->energy - before->energy);
}

/// Negative if the samples do not cover the span.
double drawn_within(const TimeWindow& span, const std::vector<DeviceSampleRow>& samples) {
  const bool known = samples.size() > 1 && std::ranges::none_of(samples, [](const auto& sample) {
                       return sample.energy < 0;
                     });
  return known ? drawn_until(samples, span.end) - drawn_until(samples, span.begin) : -1;
}

void add_energy(const Reader& reader, const Selection& chosen, CellTotals& totals) {
  std::map<std::int64_t, std::vector<DeviceSampleRow>> samples;
  for (auto& row : reader.rows<DeviceSampleRow>()) samples[row.gpu].push_back(std::move(row));
  double measured = 0;
  for (const JobRow& row : chosen.jobs) measured += row.gpu_seconds;
  for (const auto& row : reader.rows<EnergyRow>()) {
    const bool known = row.joules >= 0 && chosen.gpu_seconds > 0;
    totals.add_energy(drawn_within(chosen.span, samples[row.gpu]),
                      known ? row.joules * measured / chosen.gpu_seconds : -1);
  }
  for (const auto& row : reader.rows<NodeRow>()) {
    if (row.joules < 0 || chosen.gpu_seconds <= 0) continue;
    totals.add_energy(-1, row.joules * measured / chosen.gpu_seconds);
  }
}

/// The number of replicas per attempt. During a step, each replica uses one device.
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
                     .in_drain = chosen.in_drain,
                     .is_whole_run = covers_run(chosen)};
  if (out.is_whole_run || chosen.jobs.empty()) return out;
  for (const double time : {chosen.span.begin, chosen.measured.last_arrival}) {
    out.totals.arrived(time);
  }
  for (std::size_t i = 0; i < chosen.jobs.size(); ++i) {
    out.totals.add(chosen.jobs[i], chosen.active[i]);
  }
  add_utilisation(reader, chosen.span, out.totals);
  for (GpuRow row : reader.rows<GpuRow>()) {
    row.busy = 0;  // it is known only for the whole run, as is what types held
    row.type.clear();
    row.price = -1;
    out.totals.add(row);
  }
  add_pairs(reader, chosen, out.totals);
  add_decisions(reader, chosen.span, out.totals);
  add_energy(reader, chosen, out.totals);
  add_steps(reader, chosen, out);
  out.totals.close();
  return out;
}

}  // namespace mimus::results
