// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "scheduler/estimate/learned_run_time.hpp"

namespace mimus::scheduler {

/// Run time as the mean of similar finished jobs. Jobs are similar if they agree in all of `by`; if
/// there are none, if they agree in all but its last entry, and so on down to all finished jobs;
/// before the first one, what the user stated. The mean over group or user is the estimator of
/// Alibaba PAI's public simulator (Weng et al., NSDI'22 §5.3: SJU, SJG, SJGG).
class HistoryEstimate final : public LearnedRunTime {
 public:
  using Key = JobKey;
  struct Settings {
    std::vector<Key> by{Key::user, Key::gang};
  };
  HistoryEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::optional<Duration> run_time(const JobView& arriving) const override;

 private:
  using Values = std::vector<std::string>;

  void learn_run_time(const JobView& finished, double seconds, Instant now) override;
  /// The job's values of the first `count` keys.
  [[nodiscard]] Values values_of(const JobView& job, std::size_t count) const;

  std::vector<Key> by_;
  std::map<Values, RunningMean> means_;  ///< by values of 0, 1, … keys
};

}  // namespace mimus::scheduler
