// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/job_sums.hpp"

#include <algorithm>

namespace mimus::results {

namespace {

double JobSums::*count_of(std::string_view outcome) {
  if (outcome == "finished") return &JobSums::finished;
  if (outcome == "failed") return &JobSums::failed;
  if (outcome == "rejected") return &JobSums::rejected;
  if (outcome == "killed") return &JobSums::killed;
  return &JobSums::unfinished;
}

}  // namespace

void JobSums::add(const JobRow& row) {
  jobs += 1;
  const auto outcome = count_of(row.outcome);
  this->*outcome += 1;
  if (outcome == &JobSums::finished) jct += row.jct;
  if (row.deadline >= 0) {
    const bool is_met = outcome == &JobSums::finished && row.end <= row.deadline;
    deadlines += 1;
    deadlines_missed += is_met ? 0 : 1;
  }
  queueing += row.queueing;
  add_waits(row);
  running += row.running;
  suspended += row.suspended;
  gpu_seconds += row.gpu_seconds;
  if (outcome == &JobSums::failed) failed_gpu_seconds += row.gpu_seconds;
  if (outcome == &JobSums::killed) killed_gpu_seconds += row.gpu_seconds;
  attempts += static_cast<double>(row.attempts);
  restarts += static_cast<double>(std::max<std::int64_t>(0, row.attempts - 1));
  preemptions += static_cast<double>(row.preemptions);
  failures += static_cast<double>(row.failures);
  samples_processed += row.samples_processed;
  progress_samples += row.progress_samples;
  lost_samples += row.lost_samples;
  lost_seconds += row.lost_seconds;
  if (row.samples_processed <= 0) return;
  efficient_gpu_seconds += row.gpu_seconds * row.progress_samples / row.samples_processed;
  sampled_gpu_seconds += row.gpu_seconds;
}

void JobSums::add_waits(const JobRow& row) {
  const auto charge = [](double wait, double& sum, double& delayed) {
    sum += wait;
    delayed += wait > 0 ? 1.0 : 0.0;
  };
  charge(row.wait_capacity, wait_capacity, delayed_capacity);
  charge(row.wait_fragmentation, wait_fragmentation, delayed_fragmentation);
  charge(row.wait_order, wait_order, delayed_order);
  charge(row.wait_quota, wait_quota, delayed_quota);
  charge(row.wait_backoff, wait_backoff, delayed_backoff);
  charge(row.wait_restart, wait_restart, delayed_restart);
  charge(row.wait_round, wait_round, delayed_round);
  charge(row.wait_boot, wait_boot, delayed_boot);
}

void JobSums::add(const JobSums& other) {
  for (const auto& metric : job_metrics()) this->*metric.sum += other.*metric.sum;
}

const std::array<JobMetric, 41>& job_metrics() {
  using S = JobSums;
  static constexpr std::array<JobMetric, 41> kMetrics{{
      {"jobs", &S::jobs, "jobs", "number of jobs"},
      {"finished", &S::finished, "jobs", "number with outcome finished"},
      {"failed", &S::failed, "jobs", "number with outcome failed"},
      {"rejected", &S::rejected, "jobs", "number with outcome rejected"},
      {"unfinished", &S::unfinished, "jobs", "number with outcome unfinished"},
      {"killed", &S::killed, "jobs", "number with outcome killed"},
      {"jct", &S::jct, "s", "sum of `jct` over finished jobs"},
      {"deadlines", &S::deadlines, "jobs", "number with a `deadline`"},
      {"deadlines_missed", &S::deadlines_missed, "jobs",
       "number of these that had not finished by then"},
      {"queueing", &S::queueing, "s", "sum of `queueing`"},
      {"wait_capacity", &S::wait_capacity, "s", "sum of `wait_capacity`"},
      {"wait_fragmentation", &S::wait_fragmentation, "s", "sum of `wait_fragmentation`"},
      {"wait_order", &S::wait_order, "s", "sum of `wait_order`"},
      {"wait_quota", &S::wait_quota, "s", "sum of `wait_quota`"},
      {"wait_backoff", &S::wait_backoff, "s", "sum of `wait_backoff`"},
      {"wait_restart", &S::wait_restart, "s", "sum of `wait_restart`"},
      {"wait_round", &S::wait_round, "s", "sum of `wait_round`"},
      {"wait_boot", &S::wait_boot, "s", "sum of `wait_boot`"},
      {"delayed_capacity", &S::delayed_capacity, "jobs", "number with `wait_capacity` above 0"},
      {"delayed_fragmentation", &S::delayed_fragmentation, "jobs",
       "number with `wait_fragmentation` above 0"},
      {"delayed_order", &S::delayed_order, "jobs", "number with `wait_order` above 0"},
      {"delayed_quota", &S::delayed_quota, "jobs", "number with `wait_quota` above 0"},
      {"delayed_backoff", &S::delayed_backoff, "jobs", "number with `wait_backoff` above 0"},
      {"delayed_restart", &S::delayed_restart, "jobs", "number with `wait_restart` above 0"},
      {"delayed_round", &S::delayed_round, "jobs", "number with `wait_round` above 0"},
      {"delayed_boot", &S::delayed_boot, "jobs", "number with `wait_boot` above 0"},
      {"running", &S::running, "s", "sum of `running`"},
      {"suspended", &S::suspended, "s", "sum of `suspended`"},
      {"gpu_seconds", &S::gpu_seconds, "GPU s", "sum of `gpu_seconds`"},
      {"failed_gpu_seconds", &S::failed_gpu_seconds, "GPU s",
       "sum of `gpu_seconds` over jobs with outcome failed"},
      {"killed_gpu_seconds", &S::killed_gpu_seconds, "GPU s",
       "sum of `gpu_seconds` over jobs with outcome killed"},
      {"attempts", &S::attempts, "", "sum of `attempts`"},
      {"restarts", &S::restarts, "", "sum of `attempts` − 1 over jobs that were started"},
      {"preemptions", &S::preemptions, "", "sum of `preemptions`"},
      {"failures", &S::failures, "", "sum of `failures`"},
      {"samples_processed", &S::samples_processed, "samples", "sum of `samples_processed`"},
      {"progress_samples", &S::progress_samples, "samples", "sum of `progress_samples`"},
      {"lost_samples", &S::lost_samples, "samples", "sum of `lost_samples`"},
      {"lost_seconds", &S::lost_seconds, "s", "sum of `lost_seconds`"},
      {"efficient_gpu_seconds", &S::efficient_gpu_seconds, "GPU s",
       "sum of `gpu_seconds` × `progress_samples` ÷ `samples_processed` over jobs with samples"},
      {"sampled_gpu_seconds", &S::sampled_gpu_seconds, "GPU s",
       "sum of `gpu_seconds` over jobs with samples"},
  }};
  return kMetrics;
}

std::size_t gang_class(std::int64_t gpus) {
  if (gpus <= 1) return 0;
  if (gpus <= 4) return 1;
  return gpus <= 8 ? 2 : 3;
}

}  // namespace mimus::results
