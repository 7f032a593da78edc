// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/recorded_totals.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/totals/windowed_totals.hpp"

namespace mimus::results {

namespace {

template <class Row>
void add_table(const Reader& reader, CellTotals& totals) {
  for (const auto& row : reader.rows<Row>()) totals.add(row);
}

[[noreturn]] void refuse_empty(const Reader& reader, const MeasuredWindow& window,
                               const WindowedTotals& found) {
  throw IoError(reader.path(),
                fmt::format("{} measures none of its {:.0f} jobs, which are jobs=0..{:.0f} and "
                            "arrived from {:.6g} s to {:.6g} s; choose among these with --measure",
                            window.text(), found.run_jobs, found.run_jobs, found.run_arrivals.begin,
                            found.run_arrivals.end));
}

}  // namespace

std::optional<double> RecordedTotals::find(std::string_view metric, std::string_view group) const {
  std::optional<double> sum;  // a sum, because older files have several pairs with the same names
  for (const TotalRow& row : totals) {
    if (row.metric == metric && row.group == group) sum = sum.value_or(0) + row.value;
  }
  return sum;
}

double RecordedTotals::total(std::string_view metric, std::string_view group) const {
  return find(metric, group).value_or(0);
}

double RecordedTotals::slowdown(const std::string& pair) const {
  const double seconds = total("pair_seconds", pair);
  return seconds > 0 ? total("slowdown_seconds", pair) / seconds : 0.0;
}

std::string RecordedTotals::worst_pair() const {
  std::set<std::string> pairs;  // of equal pairs the first by name is kept
  for (const TotalRow& row : totals) {
    if (row.metric == "pair_seconds" && row.group != kAll) pairs.insert(row.group);
  }
  std::string worst;
  double most = 0;
  for (const std::string& pair : pairs) {
    if (slowdown(pair) <= most) continue;
    most = slowdown(pair);
    worst = pair;
  }
  return worst;
}

std::optional<double> RecordedTotals::quantile(std::string_view metric, double fraction) const {
  const auto found = std::find_if(quantiles.begin(), quantiles.end(), [&](const QuantileRow& row) {
    return row.metric == metric && row.group == kAll && row.fraction == fraction;
  });
  return found == quantiles.end() ? std::nullopt : std::optional(found->value);
}

MeasuredWindow recorded_window(const Reader& reader) {
  const std::string text = reader.attribute("measure");
  try {
    return text.empty() ? MeasuredWindow{} : parse_measured_window(text);
  } catch (const UsageError&) {
    throw IoError(
        reader.path(),
        fmt::format(
            "its attribute measure is \"{}\", which is not a window; give one with --measure",
            text));
  }
}

MeasuredTotals measured_totals(const Reader& reader, const MeasuredWindow& window) {
  MeasuredTotals out;
  if (window.is_whole()) {
    static_cast<RecordedTotals&>(out) = read_totals(reader);
    return out;
  }
  if (!reader.recorded("jobs")) {
    throw IoError(reader.path(),
                  fmt::format("keeps no jobs (record: {}), so only the whole run can be measured, "
                              "not {}; run it with record: jobs, or give --measure all",
                              reader.attribute("record"), window.text()));
  }
  const WindowedTotals found = totals_of_window(reader, window);
  out.window = window.text();
  if (found.is_whole_run) {
    static_cast<RecordedTotals&>(out) = read_totals(reader);
    return out;
  }
  const bool complete = reader.attribute("status") == "complete";
  if (complete && found.measured_jobs == 0) refuse_empty(reader, window, found);
  out.totals = found.totals.totals();
  out.quantiles = found.totals.quantiles();
  out.knows_steps = found.steps_recorded;
  out.useful_seconds = found.useful_seconds;
  out.in_drain = found.in_drain;
  return out;
}

CellTotals totals_of_tables(const Reader& reader) {
  CellTotals totals;
  const auto jobs = reader.rows<JobRow>();
  const auto [first, last] = std::ranges::minmax_element(jobs, {}, &JobRow::arrival);
  for (const auto end : {first, last}) {
    if (end != jobs.end()) totals.arrived(end->arrival);
  }
  const auto active = mean_active(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) totals.add(jobs[i], active[i]);
  add_table<EnergyRow>(reader, totals);
  add_table<UtilisationRow>(reader, totals);
  add_table<GpuRow>(reader, totals);
  add_table<NodeStateRow>(reader, totals);
  add_table<NodeRow>(reader, totals);
  add_table<AllocationRow>(reader, totals);
  add_table<TenantRow>(reader, totals);
  add_table<TrialRow>(reader, totals);
  add_table<DecisionRow>(reader, totals);
  add_table<PairRow>(reader, totals);
  // Files of the first releases have no totals, and their jobs do not say what they waited for.
  if (!reader.recorded("totals")) add_table<QueueDelayRow>(reader, totals);
  totals.close();
  return totals;
}

RecordedTotals read_totals(const Reader& reader) {
  const bool stopped = reader.attribute("status") != "running";
  const bool has_tables = reader.recorded("jobs");
  if (reader.recorded("totals") && (stopped || !has_tables)) {
    return {reader.rows<TotalRow>(), reader.rows<QuantileRow>()};
  }
  const CellTotals totals = totals_of_tables(reader);
  return {totals.totals(), totals.quantiles()};
}

}  // namespace mimus::results
