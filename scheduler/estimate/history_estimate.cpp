// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/history_estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::scheduler {

HistoryEstimate::HistoryEstimate(Settings settings,
                                 std::shared_ptr<const ThroughputEstimate> throughput)
    : LearnedRunTime(std::move(throughput)), by_(std::move(settings.by)) {}

std::string HistoryEstimate::name() const {
  std::vector<std::string> names;
  for (const Key key : by_) names.push_back(job_keys().text(key));
  return fmt::format("history({})", fmt::join(names, ","));
}

HistoryEstimate::Values HistoryEstimate::values_of(const JobView& job, std::size_t count) const {
  Values values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(value_of(job, by_[i]));
  return values;
}

std::optional<Duration> HistoryEstimate::run_time(const JobView& arriving) const {
  for (Values values = values_of(arriving, by_.size());; values.pop_back()) {
    const auto found = means_.find(values);
    if (found != means_.end()) return from_seconds(found->second.mean());
    if (values.empty()) return Estimator::run_time(arriving);
  }
}

void HistoryEstimate::learn_run_time(const JobView& finished, double seconds, Instant) {
  for (std::size_t count = 0; count <= by_.size(); ++count) {
    means_[values_of(finished, count)].add(seconds);
  }
}

}  // namespace mimus::scheduler
