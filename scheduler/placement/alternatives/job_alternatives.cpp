// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/alternatives/job_alternatives.hpp"

#include <algorithm>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {
namespace {

/// Levels from 1 on are of `low`, those from here on of `high`.
constexpr int kFirstHigh = 1 << 16;

}  // namespace

JobAlternatives::JobAlternatives(AlternativeLists lists, const ClusterShape& shape,
                                 std::shared_ptr<const ThroughputEstimate> throughput)
    : lists_(std::move(lists)),
      shape_(shape),
      throughput_(std::move(throughput)),
      largest_island_(static_cast<std::size_t>(shape.types()), 0),
      gpus_(largest_island_.size()) {
  for (std::int64_t n = 0; n < shape.nodes; ++n) {
    const NodeId node{n};
    const auto type = static_cast<std::size_t>(shape.type_of(node));
    largest_island_[type] = std::max(largest_island_[type], shape.island_size(node));
    for (int i = 0; i < shape.gpus_on(node); ++i) {
      gpus_[type].emplace_back(shape.first_gpu(node) + i);
    }
  }
  if (!lists_.high.empty() && !lists_.high.front().types.empty()) {
    high_end_ = types_named(lists_.high.front().types);
  }
}

GpuTypes JobAlternatives::types_named(const std::vector<std::string>& names) const {
  if (names.empty()) return kAllTypes;
  GpuTypes types = 0;
  for (const std::string& name : names) {
    if (const auto type = shape_.type_named(name)) types |= only_type(*type);
  }
  return types;
}

GpuTypes JobAlternatives::types_of(const Alternative& alternative, int gang, GpuTypes types) const {
  const GpuTypes named = types_named(alternative.types) & types;
  GpuTypes large = 0;
  for (int type = 0; type < shape_.types(); ++type) {
    const int most = alternative.within == Alternative::Within::island
                         ? largest_island_[static_cast<std::size_t>(type)]
                         : shape_.gpus_of_type(type);
    if (has_type(named, type) && most >= gang) large |= only_type(type);
  }
  return large;
}

double JobAlternatives::speed_on(const JobView& job, int type) const {
  if (!job.rates.empty()) {
    const auto found = std::ranges::find(job.rates, shape_.type_name(type),
                                         [](const auto& rate) { return rate.first; });
    return found == job.rates.end() ? 0.0 : found->second;
  }
  const auto& gpus = gpus_[static_cast<std::size_t>(type)];
  const auto gang = static_cast<std::size_t>(job.requested_gang);
  const BatchLimits limits = limits_within(job.model, shape_.memory_of_type(type));
  if (gpus.size() < gang || limits.per_gpu_max < limits.per_gpu_min) return 0.0;
  const BatchPlan batch = split_batch(job.requested_batch, job.requested_gang, limits);
  const auto step =
      throughput_->step_time(job.model.name, allocation_on(std::span(gpus).first(gang)), batch);
  if (!step || *step <= Duration::zero()) return 0.0;
  return static_cast<double>(batch.total(gang)) /
         (to_seconds(*step) * static_cast<double>(job.requested_batch));
}

double JobAlternatives::speed(const JobView& job, GpuTypes types) const {
  double most = 0.0;
  for (int type = 0; type < shape_.types(); ++type) {
    if (has_type(types, type)) most = std::max(most, speed_on(job, type));
  }
  return most;
}

GpuTypes JobAlternatives::low_end(const JobView& job) const {
  for (const Alternative& alternative : lists_.low) {
    const GpuTypes types = types_named(alternative.types) & job.types & ~high_end_;
    if (types != 0) return types;
  }
  return 0;
}

bool JobAlternatives::is_faster_there(const JobView& job, GpuTypes low) const {
  const GpuTypes high = high_end_ & job.types;
  const auto is_faster = [&] {
    const double there = speed(job, high);
    return there > 0.0 && there >= lists_.speedup * speed(job, low);
  };
  if (!job.rates.empty()) return is_faster();
  if (throughput_ == nullptr || job.model.name.empty() || job.requested_gang == 0) return false;
  const auto [found, is_new] = known_.try_emplace(
      {job.model.name, job.requested_gang, job.requested_batch, high, low}, false);
  if (is_new) found->second = is_faster();
  return found->second;
}

bool JobAlternatives::needs_high_end(const JobView& job) const {
  if (job.requested_gang >= lists_.gang) return true;
  if (high_end_ == 0) return false;
  const bool names_them = !job.gpu_types.empty() && (types_named(job.gpu_types) & ~high_end_) == 0;
  if (names_them) return true;
  const GpuTypes low = low_end(job);
  return low != 0 && is_faster_there(job, low);
}

JobAlternatives::Progress JobAlternatives::progress(const JobView& waiting, Instant now) const {
  const bool high = needs_high_end(waiting);
  const auto& list = high ? lists_.high : lists_.low;
  const int first = high ? kFirstHigh : 1;
  const GpuTypes own = waiting.types & types_named(waiting.gpu_types);
  Instant until = waiting.queued_since;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (types_of(list[i], waiting.gang, own) == 0) continue;
    if (list[i].patience == Duration::max()) break;
    until += list[i].patience;
    if (now < until) return {first + static_cast<int>(i), false, until};
  }
  return {first + static_cast<int>(list.size()), true, kNever};
}

JobAlternatives::Tried JobAlternatives::tried_at(int level) const {
  if (level == 0) return {{}, true};
  const auto& list = level >= kFirstHigh ? lists_.high : lists_.low;
  const int come_to = level - (level >= kFirstHigh ? kFirstHigh : 1);
  const bool is_last = come_to == static_cast<int>(list.size());
  return {std::span(list).first(static_cast<std::size_t>(come_to + (is_last ? 0 : 1))), is_last};
}

}  // namespace mimus::scheduler
