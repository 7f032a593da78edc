// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/tree_estimate.hpp"

#include <cmath>

namespace mimus::scheduler {

TreeEstimate::TreeEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput)
    : LearnedRunTime(std::move(throughput)),
      settings_(std::move(settings)),
      finished_(settings_.by, static_cast<std::size_t>(settings_.examples)) {}

std::optional<Duration> TreeEstimate::run_time(const JobView& arriving) const {
  if (tree_ && finished_.has_group(arriving.group)) {
    return from_seconds(std::exp(tree_->predict(finished_.features(arriving))));
  }
  const auto group = groups_.find(arriving.group);
  if (group != groups_.end()) return from_seconds(std::exp(group->second.mean()));
  const auto user = users_.find(arriving.user);
  if (user != users_.end()) return from_seconds(std::exp(user->second.mean()));
  if (all_.count > 0) return from_seconds(std::exp(all_.mean()));
  return Estimator::run_time(arriving);
}

void TreeEstimate::learn_run_time(const JobView& finished, double seconds, Instant now) {
  finished_.add(finished, seconds);
  groups_[finished.group].add(log_seconds(seconds));
  users_[finished.user].add(log_seconds(seconds));
  all_.add(log_seconds(seconds));
  if (next_fit_ == kNever) next_fit_ = now + settings_.refit;
  if (now < next_fit_) return;
  next_fit_ = now + settings_.refit;
  const Examples examples = finished_.encode();
  tree_.emplace(examples, finished_.targets(),
                TreeRules{.max_depth = settings_.max_depth, .min_leaf = settings_.min_leaf});
}

}  // namespace mimus::scheduler
