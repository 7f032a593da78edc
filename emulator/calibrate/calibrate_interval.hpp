// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mimus::emulator {

/// A mean with its 95 % interval.
struct Interval {
  double mean = 0.0;
  double half_width = 0.0;  ///< infinite while there are fewer than two batches
  double sd = 0.0;          ///< of single samples
  std::int64_t samples = 0;
  [[nodiscard]] double low() const { return mean - half_width; }
  [[nodiscard]] double high() const { return mean + half_width; }
  [[nodiscard]] double relative() const { return half_width / mean; }
};

/// Batch means (Law and Kelton, Simulation Modeling and Analysis, section 9.5.3). Successive step
/// times are not independent: a host that is late in one step catches up in the next. The samples
/// are therefore cut into 10 to 20 batches of equal length (each sample its own batch while there
/// are fewer), whose means are taken as independent:
///   half width = t(0.975, b − 1) · s_b / √b
/// with s_b the standard deviation of the b batch means. What the batches do not divide is left out
/// at the front.
[[nodiscard]] Interval batch_means(std::span<const double> samples);

/// A ratio of two means that were measured separately.
struct RatioInterval {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// shared ÷ solo. First-order error propagation (delta method): the squares of the relative half
/// widths add up.
[[nodiscard]] RatioInterval slowdown_interval(const Interval& shared, const Interval& solo);

/// When a measurement may stop. Steps are executed steps; short ones run several at a time.
struct StoppingLimits {
  double interval = 0.02;        ///< relative half width to reach
  std::int64_t warm_up = 3;      ///< steps left out at the beginning
  std::int64_t min_steps = 20;   ///< measured before the first check
  std::int64_t max_steps = 400;  ///< measured at most
};

/// Takes step times one by one and says when to stop. It checks the interval only after `min_steps`
/// and whenever the number of samples has grown by a quarter. A check after every step would stop
/// at the first lucky streak, and its interval would not be one of 95 %.
class StoppingRule {
 public:
  explicit StoppingRule(const StoppingLimits& limits);

  /// One executed step. Ignored once done, and during the warm-up.
  void add(double step_time);
  /// Whether the next step will count.
  [[nodiscard]] bool counts() const { return !done_ && warm_up_left_ == 0; }
  /// No more steps are needed: the interval is tight, or `max_steps` are measured.
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool converged() const { return converged_; }
  [[nodiscard]] std::int64_t measured() const { return static_cast<std::int64_t>(samples_.size()); }
  /// Of all samples so far.
  [[nodiscard]] Interval interval() const { return batch_means(samples_); }

 private:
  void look();

  StoppingLimits limits_;
  std::int64_t warm_up_left_;
  std::int64_t next_look_;
  std::vector<double> samples_;
  bool done_ = false;
  bool converged_ = false;
};

}  // namespace mimus::emulator
