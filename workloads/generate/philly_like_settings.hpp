// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/arrival_rate.hpp"
#include "workloads/generate/failure_classes.hpp"
#include "workloads/generate/gang_mix.hpp"
#include "workloads/generate/generated_stream.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/generate/run_time_law.hpp"

namespace mimus::workloads {

/// Parameters of the generator `philly-like`.
struct PhillyLikeSettings : GeneratorSettings {
  ArrivalRate rate;
  ShapedArrivals arrivals;
  double burst = 1.0;  ///< mean number of jobs submitted together
  GangMix gangs;
  std::optional<Duration> median, mean;  ///< of the run times of every gang, if one is given
  Duration longest{};
  std::int64_t users = 1;
  std::int64_t virtual_clusters = 1;
  ModelChoice models;
  std::optional<double> estimate_error;
  std::int64_t failing_attempts = 0;  ///< of an unsuccessful job; 0: failures are left to chance
  /// What the time to failure counts. Philly's is wall time on the traced gang.
  enum class FailureClock {
    work,     ///< the share of the work that the traced gang had done by then
    wall,     ///< the time for which an attempt has its GPUs
    by_class  ///< that for failures of machines, which are drawn anew for every attempt; else the
              ///< work, and every attempt fails at the same
  };
  FailureClock failure_clock = FailureClock::work;
  FailureStudy failure_study = FailureStudy::philly;
  bool failures_by_gang = false;  ///< classes in the shares that they have with such gangs
  /// Probability that an unsuccessful job fails as its user's last one did. The classes' shares of
  /// the jobs stay, but few users have most failures of a class.
  double failure_repeats = 0.0;

  /// Of every gang, from the median and the mean; otherwise each has its own.
  std::optional<RunTimeLaw> run_times;
  /// The law of a gang of that size.
  [[nodiscard]] RunTimeLaw run_time_law(int gpus) const;
};

[[nodiscard]] Fields<PhillyLikeSettings> philly_like_fields();
/// What follows from settings that were read. Throws ConfigError.
void settle(YamlReader& reader, PhillyLikeSettings& settings);

/// Jobs of Philly's virtual clusters, most first; sums to 1.
[[nodiscard]] const std::vector<double>& philly_cluster_shares();

}  // namespace mimus::workloads
