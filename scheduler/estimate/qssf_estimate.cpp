// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/qssf_estimate.hpp"

#include <cmath>

namespace mimus::scheduler {

QssfEstimate::QssfEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput)
    : LearnedRunTime(std::move(throughput)),
      settings_(std::move(settings)),
      finished_(settings_.by, static_cast<std::size_t>(settings_.examples)) {}

double QssfEstimate::blended(double rolling, std::optional<double> modelled) const {
  if (!modelled || *modelled <= 0.0) return rolling;
  return settings_.rolling * rolling + (1.0 - settings_.rolling) * *modelled;
}

std::optional<Duration> QssfEstimate::run_time(const JobView& arriving) const {
  const auto rolling = means_.of(arriving);
  if (!rolling) return Estimator::run_time(arriving);
  std::optional<double> modelled;
  if (trees_) modelled = std::exp(trees_->predict(finished_.features(arriving)));
  return from_seconds(blended(*rolling, modelled));
}

void QssfEstimate::learn_run_time(const JobView& finished, double seconds, Instant now) {
  means_.add(finished, seconds);
  finished_.add(finished, seconds);
  if (next_fit_ == kNever) next_fit_ = now + settings_.refit;
  if (now < next_fit_) return;
  next_fit_ = now + settings_.refit;
  const Examples examples = finished_.encode();
  trees_.emplace(examples, finished_.targets(), BoostingRules{.trees = settings_.trees});
}

}  // namespace mimus::scheduler
