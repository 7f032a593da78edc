// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/fairness.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <tuple>

namespace mimus::results {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double ratio_or_unknown(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : kUnknown;
}

/// The sum of a shape such as "2+2", or 1 if there is no shape.
double replicas_of(std::string_view shape) {
  double replicas = 0;
  for (const char* at = shape.data(); at < shape.data() + shape.size(); ++at) {
    int of_node = 0;
    const auto [end, error] = std::from_chars(at, shape.data() + shape.size(), of_node);
    if (error != std::errc()) break;
    replicas += of_node;
    at = end;  // skips the "+"
  }
  return std::max(1.0, replicas);
}

}  // namespace

void ActiveJobs::advance(double time) {
  if (time <= now_) return;
  integral_ += active_ * (time - now_);
  now_ = time;
}

double ActiveJobs::arrived(double time) {
  advance(time);
  active_ += 1;
  return integral_;
}

double ActiveJobs::left(double before, double arrival, double end) {
  advance(end);
  active_ -= 1;
  return end > arrival ? (integral_ - before) / (end - arrival) : 1.0;
}

std::vector<double> mean_active(const std::vector<JobRow>& jobs) {
  std::vector<std::tuple<double, bool, std::size_t>> events;  // sorts arrivals before ends
  events.reserve(2 * jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    events.emplace_back(jobs[i].arrival, false, i);
    if (jobs[i].end >= 0) events.emplace_back(jobs[i].end, true, i);
  }
  std::sort(events.begin(), events.end());
  ActiveJobs active;
  std::vector<double> before(jobs.size());
  std::vector<double> means(jobs.size(), 1.0);
  for (const auto& [time, leaves, job] : events) {
    if (!leaves) before[job] = active.arrived(time);
    if (leaves) means[job] = active.left(before[job], jobs[job].arrival, time);
  }
  return means;
}

void Fairness::add(const JobRow& row, double mean_active) {
  if (row.outcome != "finished") return;
  // Files of earlier versions do not have the time on whole GPUs. Their GPUs count as whole.
  const double on_gpus = row.replica_seconds > 0 ? row.replica_seconds : row.gpu_seconds;
  jobs_.push_back({static_cast<std::uint32_t>(row.job), static_cast<float>(row.jct),
                   static_cast<float>(row.running), static_cast<float>(on_gpus),
                   static_cast<float>(row.gang), static_cast<float>(row.gpu_share),
                   static_cast<float>(mean_active), row.job_class == kOpportunistic});
}

void Fairness::add(const PairRow& row) {
  if (row.slowdown <= 1) return;  // 0 means no baseline
  const double seconds = (row.end - row.begin) * (1.0 - 1.0 / row.slowdown);
  Lost& lost = lost_[row.job];
  lost.seconds += seconds;
  if (row.slowdown > kNoticeableSlowdown) lost.slow_seconds += row.end - row.begin;
  lost.gpu_seconds += seconds * replicas_of(row.shape);
}

Fairness::Lost Fairness::lost_of(const Job& job) const {
  const auto found = lost_.empty() ? lost_.end() : lost_.find(job.id);
  return found == lost_.end() ? Lost{} : found->second;
}

ClassedRun Fairness::run_of(const Job& job) const {
  const Lost lost = lost_of(job);
  return {.opportunistic = job.opportunistic,
          .running = job.running,
          .solo = std::max(0.0, job.running - lost.seconds),
          .slow = lost.slow_seconds};
}

FairnessRow Fairness::row_of(const Job& job, double gpus) const {
  const Lost lost = lost_of(job);
  FairnessRow row;
  row.job = job.id;
  row.solo = std::max(0.0, job.running - lost.seconds);
  row.service = std::max(0.0, (job.on_gpus - lost.gpu_seconds) * job.share);
  row.mean_active = job.mean_active;
  row.slowdown = ratio_or_unknown(job.jct, row.solo);
  row.bounded_slowdown = std::max(1.0, job.jct / std::max(row.solo, kShortJob));
  const double demand = static_cast<double>(job.gang) * job.share;
  const double own_share = std::min(gpus / row.mean_active, demand);
  row.rho = ratio_or_unknown(job.jct * own_share, row.service);
  if (gpus <= 0) row.rho = kUnknown;
  return row;
}

}  // namespace mimus::results
