// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/statistics/statistics_collector.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::workloads {
namespace {

constexpr Duration kHour = std::chrono::hours(1);

template <class Counters>
void count_at(Counters& counters, std::int64_t position) {
  ++counters[static_cast<std::size_t>(position) % counters.size()];
}

}  // namespace

void StatisticsCollector::add(const Job& job) {
  const double seconds = to_seconds(run_times_.of(job, models_));
  const double gpu_seconds = seconds * job.gang * job.gpu_share;
  ++totals_.jobs;
  totals_.gpu_seconds += gpu_seconds;
  add_arrival(job);
  add_run_time(job, seconds);
  Gang& gang = gangs_[job.gang];
  ++gang.jobs;
  gang.gpu_seconds += gpu_seconds;
  if (job.gpu_share < 1.0) ++gpu_shares_[job.gpu_share];
  const auto count = [gpu_seconds](Counts& counts, const std::string& name) {
    Count& entry = counts[name];
    ++entry.jobs;
    entry.gpu_seconds += gpu_seconds;
  };
  count(users_, job.user);
  count(virtual_clusters_, job.virtual_cluster);
  if (!job.model.empty()) count(used_models_, job.model);
  count(outcomes_, name(job.recorded));
  if (!job.group.empty()) add_group(job, seconds);
  if (!job.failures.failures.empty()) ++totals_.failing_jobs;
}

void StatisticsCollector::add_arrival(const Job& job) {
  const Duration arrival = job.arrival.time_since_epoch();
  if (arrivals_.empty()) totals_.first_arrival = arrival;
  totals_.last_arrival = arrival;
  arrivals_.push_back(arrival);
  count_at(totals_.by_hour, arrival / kHour);
  count_at(totals_.by_day, arrival / (24 * kHour));
}

void StatisticsCollector::add_run_time(const Job& job, double seconds) {
  if (seconds <= 0.0) {
    ++totals_.unknown_run_times;
    return;
  }
  gangs_[job.gang].run_times.push_back(seconds);
  if (job.user_estimate > Duration{}) ratios_.push_back(to_seconds(job.user_estimate) / seconds);
}

void StatisticsCollector::add_group(const Job& job, double seconds) {
  Runs& runs = groups_[job.group];
  ++runs.jobs;
  if (seconds <= 0.0) return;
  ++runs.timed;
  const double deviation = std::log(seconds) - runs.mean;
  runs.mean += deviation / static_cast<double>(runs.timed);
  runs.squares += deviation * (std::log(seconds) - runs.mean);
}

WorkloadStatistics StatisticsCollector::finish() {
  WorkloadStatistics out = std::move(totals_);
  out.timeline = timeline();
  std::vector<double> run_times;
  for (const auto& [gpus, gang] : gangs_) {
    run_times.insert(run_times.end(), gang.run_times.begin(), gang.run_times.end());
  }
  out.run_times = Distribution(std::move(run_times));
  out.gangs = gangs();
  out.gpu_shares.assign(gpu_shares_.begin(), gpu_shares_.end());
  out.gaps = Distribution(gaps());
  out.users = sorted(users_);
  out.virtual_clusters = sorted(virtual_clusters_);
  out.models = sorted(used_models_);
  out.outcomes = sorted(outcomes_);
  out.recurrence = recurrence();
  out.estimate_ratios = Distribution(std::move(ratios_));
  return out;
}

std::vector<double> StatisticsCollector::gaps() const {
  std::vector<double> out;
  for (std::size_t i = 1; i < arrivals_.size(); ++i) {
    out.push_back(to_seconds(arrivals_[i] - arrivals_[i - 1]));
  }
  return out;
}

std::vector<GangClass> StatisticsCollector::gangs() {
  std::vector<GangClass> out;
  for (auto& [gpus, gang] : gangs_) {
    out.push_back({gpus, gang.jobs, gang.gpu_seconds, Distribution(std::move(gang.run_times))});
  }
  gangs_.clear();
  return out;
}

std::vector<JobClass> StatisticsCollector::sorted(const Counts& counts) {
  std::vector<JobClass> out;
  for (const auto& [name, count] : counts) out.push_back({name, count.jobs, count.gpu_seconds});
  std::sort(out.begin(), out.end(), [](const JobClass& a, const JobClass& b) {
    return a.jobs != b.jobs ? a.jobs > b.jobs : a.name < b.name;
  });
  return out;
}

Recurrence StatisticsCollector::recurrence() const {
  Recurrence out;
  out.groups = static_cast<std::int64_t>(groups_.size());
  std::int64_t freedom = 0;
  std::vector<double> squares;
  for (const auto& [tag, runs] : groups_) {
    out.jobs += runs.jobs;
    if (runs.jobs >= Recurrence::kRecurringRuns) out.recurring_jobs += runs.jobs;
    if (runs.timed < 2) continue;
    freedom += runs.timed - 1;
    squares.push_back(runs.squares);
  }
  if (freedom == 0) return out;
  const Distribution ordered(std::move(squares));  // a sum that no hash order changes
  out.spread = std::sqrt(ordered.mean() * static_cast<double>(ordered.count()) /
                         static_cast<double>(freedom));
  return out;
}

std::vector<std::int64_t> StatisticsCollector::timeline() const {
  std::vector<std::int64_t> parts(WorkloadStatistics::kTimelineParts, 0);
  if (arrivals_.empty()) return parts;
  const double span = to_seconds(arrivals_.back() - arrivals_.front());
  for (const Duration arrival : arrivals_) {
    const double along = span > 0.0 ? to_seconds(arrival - arrivals_.front()) / span : 0.0;
    const auto part = static_cast<std::size_t>(along * static_cast<double>(parts.size()));
    ++parts[std::min(part, parts.size() - 1)];
  }
  return parts;
}

WorkloadStatistics statistics_of(JobStream& stream, const ModelCatalogue& models,
                                 const RunTimes& run_times) {
  StatisticsCollector collector(models, run_times);
  while (const auto job = stream.next()) collector.add(*job);
  return collector.finish();
}

}  // namespace mimus::workloads
