// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_report.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/workload/workload_plots.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::Distribution;
using workloads::JobClass;
using workloads::WorkloadStatistics;
using Align = TextTable::Align;

constexpr std::size_t kClassesShown = 10;
constexpr int kBarWidth = 30;

double part(std::int64_t jobs, std::int64_t of) {
  return of == 0 ? 0.0 : static_cast<double>(jobs) / static_cast<double>(of);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

std::string time_text(double seconds) {
  return format_duration(from_seconds(seconds));
}

std::string hours_text(double gpu_seconds) {
  return fmt::format("{:.1f}", gpu_seconds / 3600.0);
}

std::string head(const WorkloadDescription& d) {
  const WorkloadStatistics& s = d.statistics;
  TextTable table({{""}, {""}});
  table.add_row({"from", d.from});
  table.add_row({"source", fmt::format("{}, hash {}", d.source, d.source_hash)});
  table.add_row(
      {"jobs", fmt::format("{}, arriving from {} to {}", s.jobs, format_duration(s.first_arrival),
                           format_duration(s.last_arrival))});
  std::string gpu_time = fmt::format("{:.1f} GPU-hours", s.gpu_seconds / 3600.0);
  if (const auto demand = s.mean_demand()) {
    gpu_time += fmt::format(", {:.1f} GPUs kept busy while jobs arrive", *demand);
  }
  table.add_row({"GPU time", gpu_time});
  if (s.unknown_run_times > 0) {
    table.add_row(
        {"", fmt::format("{} jobs of unknown run time not counted", s.unknown_run_times)});
  }
  if (d.gpus) {
    const auto load = s.offered_load(*d.gpus);
    table.add_row(
        {"offered load",
         fmt::format("{} of {} GPUs", load ? fmt::format("{:.3f}", *load) : "?", *d.gpus)});
    const auto largest = s.gangs.empty() ? 0 : s.gangs.back().gpus;
    if (largest > *d.gpus) {
      table.add_row({"", fmt::format("there are gangs of more than {} GPUs", *d.gpus)});
    }
  }
  for (const std::string& note : d.notes) table.add_row({"note", note});
  return table.render(1'000'000);
}

std::string gangs(const WorkloadStatistics& s, int width) {
  TextTable table({{"gang", Align::right},
                   {"jobs", Align::right},
                   {"share", Align::right},
                   {"GPU-hours", Align::right},
                   {"share", Align::right},
                   {"median run", Align::right},
                   {"mean run", Align::right},
                   {"share of jobs"}});
  for (const auto& gang : s.gangs) {
    const double share = part(gang.jobs, s.jobs);
    table.add_row({std::to_string(gang.gpus), std::to_string(gang.jobs), percent(share),
                   hours_text(gang.gpu_seconds),
                   percent(s.gpu_seconds > 0.0 ? gang.gpu_seconds / s.gpu_seconds : 0.0),
                   time_text(gang.run_times.quantile(0.5)), time_text(gang.run_times.mean()),
                   bar(share, kBarWidth)});
  }
  return table.render(width);
}

std::string gpu_shares(const WorkloadStatistics& s) {
  std::string text;
  std::int64_t jobs = 0;
  for (const auto& [share, count] : s.gpu_shares) {
    jobs += count;
    text += fmt::format("{}{} of a GPU: {}", text.empty() ? "" : ", ", share, count);
  }
  return jobs == 0 ? "" : fmt::format("\n{} jobs ask for a part of a GPU ({})\n", jobs, text);
}

/// Cumulative shares of jobs by run time, in steps of about a factor of three.
std::string run_time_curve(const Distribution& run_times, int width) {
  constexpr std::array<std::pair<const char*, double>, 14> kSteps{{{"1 s", 1},
                                                                   {"10 s", 10},
                                                                   {"30 s", 30},
                                                                   {"1 min", 60},
                                                                   {"3 min", 180},
                                                                   {"10 min", 600},
                                                                   {"30 min", 1800},
                                                                   {"1 h", 3600},
                                                                   {"3 h", 10800},
                                                                   {"10 h", 36000},
                                                                   {"1 d", 86400},
                                                                   {"3 d", 259200},
                                                                   {"10 d", 864000},
                                                                   {"30 d", 2592000}}};
  TextTable table({{"run time up to", Align::right}, {"share", Align::right}, {"of jobs"}});
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    const bool below = i + 1 < kSteps.size() && kSteps[i + 1].second < run_times.min();
    const bool above = i > 0 && kSteps[i - 1].second >= run_times.max();
    if (below || above) continue;
    const double share = run_times.share_up_to(kSteps[i].second);
    table.add_row({kSteps[i].first, percent(share), bar(share, kBarWidth)});
  }
  return table.render(width);
}

void add_distribution(TextTable& table, const std::string& name, const Distribution& d,
                      std::string (*text)(double)) {
  if (d.empty()) return;
  table.add_row({name, text(d.mean()), text(d.min()), text(d.quantile(0.1)), text(d.quantile(0.5)),
                 text(d.quantile(0.9)), text(d.quantile(0.99)), text(d.max()),
                 fmt::format("{:.2f}", d.variation())});
}

std::string ratio_text(double ratio) {
  return fmt::format("{:.3g}", ratio);
}

std::string distributions(const WorkloadStatistics& s, int width) {
  TextTable table({{"over all jobs"},
                   {"mean", Align::right},
                   {"min", Align::right},
                   {"p10", Align::right},
                   {"median", Align::right},
                   {"p90", Align::right},
                   {"p99", Align::right},
                   {"max", Align::right},
                   {"deviation/mean", Align::right}});
  add_distribution(table, "run time", s.run_times, time_text);
  add_distribution(table, "between arrivals", s.gaps, time_text);
  add_distribution(table, "estimate/run time", s.estimate_ratios, ratio_text);
  return table.render(width);
}

std::string arrivals(const WorkloadStatistics& s) {
  return fmt::format(
      "arrivals over the span  |{}|\n"
      "by hour since zero      |{}|\n"
      "by day since zero       |{}|\n",
      sparkline(s.timeline), sparkline(s.by_hour), sparkline(s.by_day));
}

std::string classes(const std::string& title, const std::vector<JobClass>& all,
                    const WorkloadStatistics& s, int width) {
  if (all.empty() || (all.size() == 1 && title != "model")) return "";
  TextTable table({{title},
                   {"jobs", Align::right},
                   {"share", Align::right},
                   {"GPU-hours", Align::right},
                   {"share", Align::right},
                   {"share of jobs"}});
  for (std::size_t i = 0; i < std::min(all.size(), kClassesShown); ++i) {
    const double share = part(all[i].jobs, s.jobs);
    table.add_row({all[i].name, std::to_string(all[i].jobs), percent(share),
                   hours_text(all[i].gpu_seconds),
                   percent(s.gpu_seconds > 0.0 ? all[i].gpu_seconds / s.gpu_seconds : 0.0),
                   bar(share, kBarWidth)});
  }
  std::string out = "\n" + table.render(width);
  if (all.size() > kClassesShown) {
    out += fmt::format("... {} in all; the 5 % with most jobs have {} of them\n", all.size(),
                       percent(workloads::top_share(all, 0.05)));
  }
  return out;
}

std::string recurrence(const WorkloadStatistics& s) {
  if (s.recurrence.groups == 0) return "";
  return fmt::format(
      "\n{} jobs in {} groups; {} of all jobs in groups of at least {} runs; inside groups the "
      "logarithm of the run time deviates by {:.2f}\n",
      s.recurrence.jobs, s.recurrence.groups, percent(part(s.recurrence.recurring_jobs, s.jobs)),
      workloads::Recurrence::kRecurringRuns, s.recurrence.spread);
}

/// Describes how accurate the stated run times are.
std::string estimates(const WorkloadStatistics& s) {
  if (s.estimate_ratios.empty()) return "";
  const double within = s.estimate_ratios.share_up_to(1.25) - s.estimate_ratios.share_up_to(0.75);
  return fmt::format("\n{} jobs state a run time; {} of these are less than 25 % off\n",
                     s.estimate_ratios.count(), percent(within));
}

}  // namespace

std::string as_text(const WorkloadDescription& description, int width) {
  const WorkloadStatistics& s = description.statistics;
  std::string out = head(description) + "\n" + gangs(s, width) + gpu_shares(s);
  if (!s.run_times.empty()) out += "\n" + run_time_curve(s.run_times, width);
  out += "\n" + distributions(s, width) + "\n" + arrivals(s);
  out += classes("user", s.users, s, width);
  out += classes("virtual cluster", s.virtual_clusters, s, width);
  out += classes("model", s.models, s, width);
  out += classes("outcome", s.outcomes, s, width);
  out += recurrence(s) + estimates(s);
  if (s.failing_jobs > 0) out += fmt::format("\n{} jobs have failing attempts\n", s.failing_jobs);
  return out;
}

}  // namespace mimus::emulator::cli
