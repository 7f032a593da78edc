// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::workloads {

/// No job runs shorter: a draw below it is raised to it. That is a fifth of Philly's gangs of two,
/// and next to nothing in the GPU time. It would be most of a law with a median below.
inline constexpr double kShortestRunTime = 1.0;  ///< s
inline constexpr Limits kMedianRunTime{.min = kShortestRunTime};

/// Log-normal run times with a longest one: larger draws are taken again. Clusters stop jobs after
/// some weeks; without that, a tail fitted to their mean would hold jobs of years. The median is
/// that of the law before the cut, which lowers it a little.
class RunTimeLaw {
 public:
  /// The law with this median and, longest one included, this mean. Throws UsageError unless
  /// median <= mean and some spread reaches the mean below `longest`.
  [[nodiscard]] static RunTimeLaw fitted(Duration median, Duration mean, Duration longest);
  /// The same in seconds, without a check: `sigma` is the deviation of the logarithm.
  RunTimeLaw(double median, double sigma, double longest);

  struct Draw {
    double seconds;
    double normal;  ///< deviations of the logarithm from that of the median
  };
  [[nodiscard]] Draw draw(RandomStream& random) const;

  [[nodiscard]] double sigma() const { return sigma_; }
  /// E[X | X <= longest] = e^(mu + sigma²/2) Φ(c - sigma) / Φ(c), with c the normal deviate of the
  /// longest run time.
  [[nodiscard]] double mean() const;
  /// Mean of Draw::normal when every draw counts with its seconds: sigma - φ(c - sigma) / Φ(c -
  /// sigma), since e^(sigma z) moves a normal law by sigma.
  [[nodiscard]] double time_weighted_normal() const;

 private:
  double mu_, sigma_, longest_;
  double highest_;  ///< normal deviate of the longest
};

/// Φ, the distribution function of the normal law.
[[nodiscard]] double normal_cdf(double z);

}  // namespace mimus::workloads
