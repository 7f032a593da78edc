// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/record_rules.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mimus::workloads {
namespace {

constexpr double kMaxGang = 1e6;
constexpr double kRounding = 1e-6;  ///< ten times 0.1 GPUs are one, despite rounding

}  // namespace

bool TraceTraits::may(Oddity oddity) const {
  return std::find(oddities.begin(), oddities.end(), oddity) != oddities.end();
}

bool RecordRules::drops(Oddity oddity, int row, ImportReport& report) const {
  const bool dropped = policy_.is(oddity, "drop");
  const auto otherwise = policy_.is(oddity, "keep") ? Effect::kept : Effect::changed;
  report.count(rule_for(oddity).reason, dropped ? Effect::dropped : otherwise,
               policy_.meaning(oddity), row);
  return dropped;
}

bool RecordRules::apply(const TraceRecord& record, Job& job, ImportReport& report) const {
  if (!take_times(record, job, report) || !take_gang(record, job, report)) return false;
  job.name = record.name;
  if (!record.user.empty()) job.user = record.user;
  if (!record.virtual_cluster.empty()) job.virtual_cluster = record.virtual_cluster;
  job.group = record.group;
  job.application = record.application;
  job.model = record.model;
  job.total_batch = record.total_batch;
  job.batch_plan = record.batch_plan;
  job.work_samples = record.samples;
  job.gang_min = record.gang_min;
  job.gang_max = record.gang_max;
  job.deadline = record.deadline;
  job.stages = record.stages;
  job.opportunistic = record.opportunistic;
  job.gpu_types = record.gpu_types;
  job.rates = record.rates;
  job.pair_rates = record.pair_rates;
  job.kind = record.kind;
  job.course = record.course;
  limit_to_rated_types(job);
  job.cores = record.cores;
  job.host_memory = record.host_memory;
  job.host_share = record.host_share;
  job.data_set = record.data_set;
  job.data_size = record.data_size;
  job.recorded = record.outcome;
  job.failures = record.failures;
  return true;
}

bool RecordRules::take_times(const TraceRecord& record, Job& job, ImportReport& report) const {
  job.arrival = Instant{record.submit};
  std::optional<Duration> run_time = record.run_time;
  if (traits_.may(Oddity::never_started) && record.tells_of_start) {
    std::optional<Duration> start = record.start;
    if (!start) {
      if (drops(Oddity::never_started, record.row, report)) return false;
      start = record.submit;
    }
    if (*start < record.submit) {
      if (drops(Oddity::negative_wait, record.row, report)) return false;
      if (policy_.is(Oddity::negative_wait, "at_start")) job.arrival = Instant{*start};
    }
    if (!run_time && record.end) run_time = *record.end - *start;
    if (!run_time) {
      (void)drops(Oddity::missing_end, record.row, report);
      return false;
    }
  }
  if (!run_time) return true;  // the work is stated in samples
  if (*run_time < Duration{}) {
    return !drops(Oddity::negative_run_time, record.row, report);
  }
  if (*run_time == Duration{}) {
    if (drops(Oddity::zero_run_time, record.row, report)) return false;
    run_time = std::chrono::seconds(1);
  }
  job.run_time = *run_time;
  return true;
}

bool RecordRules::take_gang(const TraceRecord& record, Job& job, ImportReport& report) const {
  double gang = record.gpus;
  job.gpu_share = record.gpu_share;
  if (record.instances == 0) {
    const bool needs_none = record.needs_cores_only;
    if (!needs_none && drops(Oddity::zero_gpus, record.row, report)) return false;
    gang = needs_none || policy_.is(Oddity::zero_gpus, "keep") ? 0.0 : 1.0;
  } else if (record.instances == 1 && gang < 1.0) {
    job.gpu_share = gang;
    gang = 1.0;
  } else if (record.own_gpus - gang > kRounding) {
    if (drops(Oddity::fractional_gang, record.row, report)) return false;
    gang = policy_.is(Oddity::fractional_gang, "own_gpus") ? record.own_gpus
                                                           : std::ceil(gang - kRounding);
  }
  if (gang > kMaxGang) {
    throw ConfigError({file_, record.gpus_at.line, record.gpus_at.column}, traits_.gpus_column,
                      fmt::format("{:g} GPUs in total are more than {:g}", gang, kMaxGang));
  }
  job.gang = gang == 0.0 ? 0 : std::max(1, static_cast<int>(std::lround(gang)));
  return true;
}

}  // namespace mimus::workloads
