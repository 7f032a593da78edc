// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary_metrics.hpp"

#include <fmt/format.h>

#include "results/job_sums.hpp"
#include "results/summary_known.hpp"

namespace mimus::results {

namespace {

using Metrics = std::vector<CellMetric>;
using Known = bool (*)(const CellSummary&);

bool always(const CellSummary&) {
  return true;
}
bool any_job(const CellSummary& cell) {
  return cell.jobs > 0;
}
bool any_finished(const CellSummary& cell) {
  return cell.finished > 0;
}
bool job_percentiles(const CellSummary& cell) {
  return any_job(cell) && cell.percentiles_known;
}
bool finished_percentiles(const CellSummary& cell) {
  return any_finished(cell) && cell.percentiles_known;
}
bool any_pair(const CellSummary& cell) {
  return cell.slowdown_mean > 0;
}

template <class Value>
std::function<std::optional<double>(const CellSummary&)> member(Value CellSummary::*which,
                                                                Known known) {
  return [which, known](const CellSummary& cell) {
    return known(cell) ? std::optional(static_cast<double>(cell.*which)) : std::nullopt;
  };
}

void add_counts(Metrics& out) {
  using Cell = CellSummary;
  out.insert(out.end(), {{"jobs", "", "of the cell", member(&Cell::jobs, always)},
                         {"jobs_finished", "", "of these", member(&Cell::finished, always)},
                         {"jobs_failed", "", "of these", member(&Cell::failed, always)},
                         {"jobs_rejected", "", "of these", member(&Cell::rejected, always)},
                         {"jobs_unfinished", "", "of these", member(&Cell::unfinished, always)},
                         {"preemptions", "", "attempts ended by the scheduler",
                          member(&Cell::preemptions, always)}});
}

void add_times(Metrics& out) {
  using Cell = CellSummary;
  const Known some = finished_percentiles;
  const Known all = job_percentiles;
  out.insert(
      out.end(),
      {{"jct_mean", "s", "of finished jobs", member(&Cell::jct_mean, any_finished)},
       {"jct_p50", "s", "of finished jobs", member(&Cell::jct_p50, some)},
       {"jct_p90", "s", "of finished jobs", member(&Cell::jct_p90, some)},
       {"jct_p99", "s", "of finished jobs", member(&Cell::jct_p99, some)},
       {"queueing_mean", "s", "all waits of a job", member(&Cell::queueing_mean, any_job)},
       {"queueing_p50", "s", "all waits of a job", member(&Cell::queueing_p50, all)},
       {"queueing_p90", "s", "all waits of a job", member(&Cell::queueing_p90, all)},
       {"queueing_p99", "s", "all waits of a job", member(&Cell::queueing_p99, all)},
       {"makespan", "s", "first arrival to last end", member(&Cell::makespan, any_job)},
       {"drain", "s", "of which after the last arrival", [](const Cell& c) { return c.drain; }},
       {"last_end", "s", "since the cell began", member(&Cell::last_end, any_job)}});
}

/// A cause that did not occur is a mean of 0, not an unknown. The causes are those of the job sums.
void add_causes(Metrics& out) {
  for (const JobMetric& sum : job_metrics()) {
    if (!sum.name.starts_with(kWaitPrefix)) continue;
    const std::string cause(sum.name.substr(kWaitPrefix.size()));
    const auto value = [cause](const CellSummary& cell) -> std::optional<double> {
      if (!any_job(cell)) return std::nullopt;
      const auto found = cell.queueing_by_cause.find(cause);
      return found == cell.queueing_by_cause.end() ? 0.0 : found->second;
    };
    out.push_back({fmt::format("queueing_{}_mean", cause), "s", "of which for this cause", value});
  }
}

void add_use(Metrics& out) {
  using Cell = CellSummary;
  out.insert(
      out.end(),
      {{"gpu_allocated", "", "share of GPU time held by a tenant",
        member(&Cell::gpu_allocated, any_job)},
       {"gpu_allocated_arriving", "", "the same until the last arrival",
        [](const Cell& c) { return c.gpu_allocated_arriving; }},
       {"gpu_busy", "", "share of GPU time with device work", member(&Cell::gpu_busy, knows_busy)},
       {"throughput", "samples/s", "of a running job", member(&Cell::throughput, knows_samples)},
       {"efficiency", "", "progress ÷ samples", member(&Cell::efficiency, knows_samples)},
       {"goodput", "samples/s", "at M₀, of a running job", member(&Cell::goodput, knows_samples)},
       {"goodput_normalised", "", "useful step time ÷ running time",
        member(&Cell::goodput_normalised, knows_useful_time)},
       {"slowdown_mean", "", "over co-location periods", member(&Cell::slowdown_mean, any_pair)},
       {"slowdown_worst", "", "of the worst pair", member(&Cell::slowdown_worst, any_pair)},
       {"pace_error_median", "", "abs(step ÷ modelled − 1) without co-tenants",
        member(&Cell::pace_error_median, knows_pace)},
       {"late_share", "", "share of step time in which the host was behind",
        member(&Cell::late_share, knows_pace)}});
}

Metrics all_metrics() {
  Metrics out;
  add_counts(out);
  add_times(out);
  add_causes(out);
  add_use(out);
  return out;
}

}  // namespace

const std::vector<CellMetric>& cell_metrics() {
  static const Metrics all = all_metrics();
  return all;
}

}  // namespace mimus::results
