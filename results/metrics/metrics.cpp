// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/metrics/allocation_metrics.hpp"
#include "results/metrics/application_metrics.hpp"
#include "results/metrics/class_metrics.hpp"
#include "results/metrics/cost_metrics.hpp"
#include "results/metrics/metric_value.hpp"
#include "results/metrics/power_metrics.hpp"
#include "results/metrics/progress_metrics.hpp"
#include "results/metrics/reading_metrics.hpp"
#include "results/metrics/search_metrics.hpp"

namespace mimus::results {

namespace {

using Metrics = std::vector<Metric>;

constexpr auto kLower = Better::lower;
constexpr auto kHigher = Better::higher;
constexpr auto kNeither = Better::neither;
constexpr auto kNumber = Shown::number;
constexpr auto kPercent = Shown::percent;
constexpr auto kWhole = Shown::whole;
constexpr auto kFactor = Shown::factor;
constexpr double kHour = 3600;  // [s]

bool any_job(const Observed& seen) {
  return seen.totals.total("jobs") > 0;
}
bool any_suspension(const Observed& seen) {
  return seen.totals.total("suspended") > 0;
}
bool has_pace(const Observed& seen) {
  return any_job(seen) && !seen.is_virtual;
}

/// Replays of others' rounds in virtual time have no steps, of which device time is a sum.
bool any_device_time(const Observed& seen) {
  const bool counted = seen.totals.total("gpu_busy_seconds") > 0 || !seen.is_virtual;
  return any_job(seen) && seen.knows_steps && counted;
}

/// The time from the total `begin` to the last end.
Value until_last_end(const char* begin) {
  return [begin](const Observed& seen) -> Figure {
    return std::max(0.0, seen.totals.total("last_end") - seen.totals.total(begin));
  };
}

/// Values below 0 mean that the total is not known.
Figure measured(const Observed& seen, const char* name) {
  const Figure found = seen.totals.find(name);
  return found && *found >= 0 ? found : std::nullopt;
}

Figure energy_per_job(const Observed& seen) {
  const Figure joules = measured(seen, "energy_of_jobs");
  const double finished = seen.totals.total("finished");
  return joules && finished > 0 ? Figure(*joules / finished) : std::nullopt;
}

/// Jain's fairness index (Jain et al., 1984): (Σx)² ÷ (n·Σx²).
Figure jain(const Observed& seen) {
  const double sum = seen.totals.total("rho");
  const double squares = seen.totals.total("rho_jobs") * seen.totals.total("rho_squares");
  return squares > 0 ? Figure(sum * sum / squares) : std::nullopt;
}

Figure worst_slowdown(const Observed& seen) {
  const std::string pair = seen.totals.worst_pair();
  return pair.empty() ? std::nullopt : Figure(seen.totals.slowdown(pair));
}

Metrics counts() {
  return {{"jobs", "", kNeither, kWhole, "jobs", "Σ `jobs`", total("jobs")},
          {"jobs_finished", "", kHigher, kWhole, "finished jobs", "jobs with outcome `finished`",
           total("finished")},
          {"jobs_failed", "", kLower, kWhole, "failed jobs", "jobs with outcome `failed`",
           total("failed")},
          {"jobs_rejected", "", kLower, kWhole, "rejected jobs", "jobs with outcome `rejected`",
           total("rejected")},
          {"jobs_unfinished", "", kLower, kWhole, "unfinished jobs",
           "jobs with outcome `unfinished`", total("unfinished")},
          {"preemptions", "", kLower, kWhole, "preemptions",
           "Σ `preemptions`: attempts ended by the scheduler", total("preemptions"), "", 0,
           "preemptions", 0}};
}

Metrics completion_times() {
  return {{"jct_mean", "s", kLower, kNumber, "mean JCT", "Σ `jct` ÷ finished jobs",
           ratio("jct", "finished"), "JCT mean", 0, "JCT mean", 2},
          {"jct_p50", "s", kLower, kNumber, "p50 JCT",
           "of `jct` of finished jobs: exact, interpolated linearly (type 7 of Hyndman & Fan 1996)",
           quantile("jct", 0.5), "JCT p50", 5, "JCT p50", 2},
          {"jct_p90", "s", kLower, kNumber, "p90 JCT", "as `jct_p50`", quantile("jct", 0.9), "", 0,
           "JCT p90", 2},
          {"jct_p99", "s", kLower, kNumber, "p99 JCT", "as `jct_p50`", quantile("jct", 0.99),
           "JCT p99", 2, "JCT p99", 2},
          {"deadlines_missed", "", kLower, kPercent, "share of deadlines missed",
           "jobs that had not finished by their `deadline` ÷ jobs that have one",
           ratio("deadlines_missed", "deadlines"), "missed", 3, "deadlines missed", 2}};
}

Metrics queueing() {
  return {{"queueing_mean", "s", kLower, kNumber, "mean queueing",
           "Σ `queueing` ÷ jobs: all waits of a job", ratio("queueing", "jobs"), "queueing", 1,
           "queueing mean", 3},
          {"queueing_p50", "s", kLower, kNumber, "p50 queueing", "of `queueing` of all jobs",
           quantile("queueing", 0.5), "", 0, "queueing p50", 2},
          {"queueing_p90", "s", kLower, kNumber, "p90 queueing", "as `queueing_p50`",
           quantile("queueing", 0.9), "", 0, "queueing p90", 2},
          {"queueing_p99", "s", kLower, kNumber, "p99 queueing", "as `queueing_p50`",
           quantile("queueing", 0.99), "", 0, "queueing p99", 2}};
}

Metrics spans() {
  return {{"makespan", "s", kLower, kNumber, "makespan", "`last_end` − `first_arrival`",
           when(any_job, until_last_end("first_arrival")), "makespan", 0, "makespan", 1},
          {"drain", "s", kLower, kNumber, "makespan after the last arrival",
           "`last_end` − `last_arrival`",
           when(
               [](const Observed& seen) {
                 return any_job(seen) && seen.totals.total("arriving_up_seconds") > 0;
               },
               until_last_end("last_arrival")),
           "", 0, "  after last arrival", 1},
          {"last_end", "s", kLower, kNumber, "last end", "`last_end`, since the cell began",
           when(any_job, total("last_end"))}};
}

/// A cause that did not occur has a mean of 0 and is not unknown. The causes are those of the job
/// sums.
Metrics waits() {
  Metrics all;
  for (const JobMetric& sum : job_metrics()) {
    if (!sum.name.starts_with(kWaitPrefix)) continue;
    const std::string cause(sum.name.substr(kWaitPrefix.size()));
    all.push_back({fmt::format("queueing_{}_mean", cause), "s", kLower, kNumber,
                   "mean wait: " + cause, fmt::format("Σ `{}` ÷ jobs", sum.name),
                   ratio(std::string(sum.name), "jobs"), "", 0, "  " + cause, 4, "", "", cause});
  }
  return all;
}

Metrics use() {
  return {
      {"gpu_allocated", "", kHigher, kPercent, "GPU time held",
       "∫ `gpus_allocated` dt ÷ ∫ `gpus` dt over the makespan",
       when(any_job, ratio("gpu_held_seconds", "gpu_up_seconds")), "GPUs held", 1, "GPU time held"},
      {"gpu_allocated_arriving", "", kHigher, kPercent, "GPU time held until the last arrival",
       "the same until `last_arrival`", ratio("arriving_held_seconds", "arriving_up_seconds"), "",
       0, "  until last arrival", 5, "", "gpu_allocated_until_last_arrival_fraction"},
      {"gpu_busy", "", kHigher, kPercent, "GPU time busy",
       "device time ÷ ∫ `gpus` dt over the makespan, where steps are known",
       when(any_device_time, ratio("gpu_busy_seconds", "gpu_up_seconds")), "GPUs busy", 2,
       "GPU time busy"},
      {"gpu_memory", "", kHigher, kPercent, "GPU memory in use",
       "∫ `memory_used` dt ÷ ∫ `gpus` dt over the makespan, as believed",
       when(any_job, ratio("memory_used_seconds", "memory_up_seconds")), "", 0,
       "GPU memory in use"}};
}

Metrics sharing() {
  return {{"suspended_mean", "s", kLower, kNumber, "mean time suspended",
           "Σ `suspended` ÷ jobs, where any was suspended",
           when(any_suspension, ratio("suspended", "jobs")), "", 0, "suspended mean", 4},
          {"slowdown_mean", "", kLower, kFactor, "slowdown by co-tenants",
           "Σ `slowdown` · (`end` − `begin`) ÷ Σ (`end` − `begin`) over `pairs` with a baseline",
           ratio("slowdown_seconds", "pair_seconds"), "slowdown", 2, "slowdown mean", 6},
          {"slowdown_worst", "", kLower, kFactor, "slowdown of the worst pair",
           "the same of the (model, co_models) where it is largest", worst_slowdown, "worst pair",
           4, "slowdown worst", 6}};
}

Metrics trust() {
  return {{"off_solo_median", "", kNeither, kPercent, "median difference from a step alone",
           "median of abs(`step_mean` ÷ `step_modelled` − 1) over `steps` without co-tenants; what "
           "jobs "
           "on other GPUs of a node slow each other by is part of it",
           when(has_pace, [](const Observed& seen) { return seen.steps.off_solo_median; }),
           "off solo", 7, "off solo, median", 7},
          {"late_share", "", kNeither, kPercent, "share of step time late",
           "Σ `late` · `steps` ÷ Σ `step_mean` · `steps`",
           when(has_pace, [](const Observed& seen) { return seen.steps.late_share; }), "late", 7,
           "late", 7}};
}

Metrics fairness() {
  return {
      {"job_slowdown_mean", "", kLower, kNumber, "mean job slowdown",
       "Σ max(1, `jct` ÷ max(`solo`, 10 s)) ÷ finished jobs (Feitelson, JSSPP 2001)",
       ratio("job_slowdown", "finished"), "", 0, "job slowdown mean"},
      {"job_slowdown_p99", "", kLower, kNumber, "p99 job slowdown", "of the same ratio",
       quantile("job_slowdown", 0.99), "", 0, "job slowdown p99"},
      {"rho_mean", "", kLower, kNumber, "mean finish-time fairness ρ",
       "Σ `rho` ÷ finished jobs (Mahajan et al., Themis, NSDI 2020; table `fairness`)",
       ratio("rho", "rho_jobs"), "ρ mean", 8, "ρ mean"},
      {"rho_p50", "", kLower, kNumber, "median finish-time fairness ρ", "of `rho`",
       quantile("rho", 0.5), "", 0, "ρ p50"},
      {"rho_max", "", kLower, kNumber, "worst finish-time fairness ρ", "of `rho`",
       quantile("rho", 1.0), "ρ worst", 8, "ρ worst"},
      {"rho_unfair", "", kLower, kPercent, "share of jobs with ρ > 1", "by more than a millionth",
       ratio("rho_unfair", "rho_jobs"), "unfair jobs", 8, "unfair jobs"},
      {"rho_jain", "", kHigher, kNumber, "Jain's index of ρ",
       "(Σρ)² ÷ (n · Σρ²) (Jain, Chiu & Hawe, DEC-TR-301, 1984)", jain, "Jain of ρ", 9,
       "Jain's index of ρ"},
      {"restarts_per_hour", "1/h", kLower, kNumber, "restarts per job-hour",
       "Σ (`attempts` − 1) of started jobs ÷ Σ `running`", ratio("restarts", "running", kHour),
       "restarts", 9, "restarts", 5, "per hour of a running job", "restarts_per_hour"}};
}

Metrics costs() {
  return {{"decision_latency_mean", "s", kLower, kNumber, "mean decision latency",
           "Σ `latency_us` ÷ decisions: wall time", ratio("decision_seconds", "decisions")},
          {"decision_latency_p99", "s", kLower, kNumber, "p99 decision latency",
           "of `latency_us`, within 0.4 %", quantile("decision_latency", 0.99)},
          {"energy", "J", kLower, kNumber, "energy",
           "Σ `joules` of `energy` and `nodes`; of a window: within it",
           [](const Observed& seen) { return measured(seen, "energy"); }, "", 0, "energy", 7},
          {"energy_modelled", "", kNeither, kPercent, "share of the energy that is modelled",
           "Σ `joules` of rows whose `source` is not a measurement ÷ all",
           when([](const Observed& seen) { return seen.totals.total("energy") > 0; },
                ratio("energy_modelled", "energy")),
           "", 0, "  of which modelled", 7},
          {"energy_per_job", "J", kLower, kNumber, "energy per finished job",
           "the share of the run's energy, by `gpu_seconds`, of jobs that are measured ÷ finished "
           "jobs",
           energy_per_job}};
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const Metrics all = [] {
    Metrics found;
    for (const auto& group : {counts(), completion_times(), queueing(), waits(), spans(), use(),
                              progress_metrics(), sharing(), class_metrics(), trust(), fairness(),
                              costs(), power_metrics(), reading_metrics(), allocation_metrics(),
                              application_metrics(), search_metrics(), cost_metrics()}) {
      std::ranges::copy(group, std::back_inserter(found));
    }
    return found;
  }();
  return all;
}

std::size_t metric_index(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  if (found == metrics().end()) throw InternalError(fmt::format("no metric is called {}", name));
  return static_cast<std::size_t>(found - metrics().begin());
}

std::vector<Figure> figures_of(const Observed& seen) {
  std::vector<Figure> figures;
  for (const Metric& metric : metrics()) figures.push_back(metric.value(seen));
  return figures;
}

}  // namespace mimus::results
