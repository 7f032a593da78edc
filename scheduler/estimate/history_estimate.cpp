// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/history_estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::scheduler {
namespace {

std::string value_of(const JobView& job, HistoryEstimate::Key key) {
  switch (key) {
    case HistoryEstimate::Key::user:
      return job.user;
    case HistoryEstimate::Key::group:
      return job.group;
    case HistoryEstimate::Key::virtual_cluster:
      return job.virtual_cluster;
    case HistoryEstimate::Key::gang:
      return std::to_string(job.gang);
    case HistoryEstimate::Key::model:
      return job.model.name;
  }
  return {};
}

}  // namespace

const Domain<HistoryEstimate::Key>& history_keys() {
  using Key = HistoryEstimate::Key;
  static const Domain<Key> keys{{"user", Key::user},
                                {"group", Key::group},
                                {"virtual_cluster", Key::virtual_cluster},
                                {"gang", Key::gang},
                                {"model", Key::model}};
  return keys;
}

HistoryEstimate::HistoryEstimate(Settings settings,
                                 std::shared_ptr<const ThroughputEstimate> throughput)
    : by_(std::move(settings.by)), profile_(std::move(throughput)) {}

std::string HistoryEstimate::name() const {
  std::vector<std::string> names;
  for (const Key key : by_) names.push_back(history_keys().text(key));
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
    if (found != means_.end()) {
      return from_seconds(found->second.seconds / static_cast<double>(found->second.count));
    }
    if (values.empty()) return Estimator::run_time(arriving);
  }
}

void HistoryEstimate::learn(const JobView& finished, Instant now) {
  const double replica_seconds = static_cast<double>(finished.replica_time(now).count()) / 1e9;
  const double seconds = replica_seconds / finished.gpus();
  for (std::size_t count = 0; count <= by_.size(); ++count) {
    Mean& mean = means_[values_of(finished, count)];
    mean.seconds += seconds;
    ++mean.count;
  }
}

std::optional<double> HistoryEstimate::throughput(const JobView& job, const Allocation& allocation,
                                                  const BatchPlan& batch) const {
  return profile_.throughput(job, allocation, batch);
}

std::optional<double> HistoryEstimate::noise_scale(const JobView& job) const {
  return profile_.noise_scale(job);
}

}  // namespace mimus::scheduler
