// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "base/value_domain.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {

/// Run time as the mean of the finished jobs that are alike. Alike are jobs that agree in all of
/// `by`; while there is none, those that agree in all but its last entry, and so on down to all
/// finished jobs; before the first one, what the user stated. The mean over group or user is the
/// estimator of Alibaba PAI's public simulator (Weng et al., NSDI'22 §5.3: SJU, SJG, SJGG) and the
/// rolling part of Helios' QSSF (Hu et al., SC'21). Throughput and noise scale as ProfileEstimate.
class HistoryEstimate final : public Estimator {
 public:
  enum class Key { user, group, virtual_cluster, gang, model };
  struct Settings {
    std::vector<Key> by{Key::user, Key::gang};
  };
  HistoryEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool finds_run_times() const override { return true; }
  [[nodiscard]] std::optional<Duration> run_time(const JobView& arriving) const override;
  /// Counts the time with an allocation over all attempts.
  void learn(const JobView& finished, Instant now) override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;

 private:
  struct Mean {
    double seconds = 0.0;
    std::int64_t count = 0;
  };
  using Values = std::vector<std::string>;

  /// The job's values of the first `count` keys.
  [[nodiscard]] Values values_of(const JobView& job, std::size_t count) const;

  std::vector<Key> by_;
  ProfileEstimate profile_;
  std::map<Values, Mean> means_;  ///< by values of 0, 1, … keys
};

/// What may be named as keys.
[[nodiscard]] const Domain<HistoryEstimate::Key>& history_keys();

}  // namespace mimus::scheduler
