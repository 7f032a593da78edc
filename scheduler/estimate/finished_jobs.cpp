// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/finished_jobs.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

double log_seconds(double seconds) {
  return std::log(std::max(seconds, 1.0));
}

FinishedJobs::Row FinishedJobs::row_of(const JobView& job, double target) const {
  Row row{{}, job.group, job.gang * job.gpu_share, target};
  for (const JobKey key : by_) row.values.push_back(value_of(job, key));
  return row;
}

void FinishedJobs::add(const JobView& finished, double seconds) {
  rows_.push_back(row_of(finished, log_seconds(seconds)));
  if (rows_.size() > most_) rows_.pop_front();
}

Examples FinishedJobs::encode() {
  codes_.assign(by_.size(), {});
  all_ = {};
  targets_.clear();
  groups_.clear();
  for (const Row& row : rows_) {
    targets_.push_back(row.target);
    all_.add(row.target);
    groups_.insert(row.group);
    for (std::size_t k = 0; k < by_.size(); ++k) codes_[k][row.values[k]].add(row.target);
  }
  std::vector<std::vector<double>> columns(by_.size());
  for (const Row& row : rows_) {
    const std::vector<double> features = encoded(row);
    for (std::size_t k = 0; k < by_.size(); ++k) columns[k].push_back(features[k]);
  }
  return Examples(std::move(columns));
}

std::vector<double> FinishedJobs::encoded(const Row& row) const {
  std::vector<double> features;
  for (std::size_t k = 0; k < by_.size(); ++k) {
    if (by_[k] == JobKey::gang) {
      features.push_back(row.gpus);
      continue;
    }
    const auto found = codes_[k].find(row.values[k]);
    features.push_back(found == codes_[k].end() ? all_.mean() : found->second.mean());
  }
  return features;
}

std::vector<double> FinishedJobs::features(const JobView& job) const {
  return encoded(row_of(job, 0.0));
}

}  // namespace mimus::scheduler
