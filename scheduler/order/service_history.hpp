// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mimus::scheduler {

/// How much service past jobs took in total [GPU s], and what this says about jobs that have had
/// some.
class ServiceHistory {
 public:
  /// Used from the next fit() on.
  void add(double gpu_seconds) { new_.push_back(gpu_seconds); }
  void fit();
  /// Of the last fit.
  [[nodiscard]] std::size_t size() const { return samples_.size(); }
  [[nodiscard]] std::size_t added() const { return new_.size(); }

  /// Gittins index of a job that has had `attained` GPU-seconds and is given up to `more` of them,
  /// 1/(GPU s): P(S − a <= Δ | S > a) / E[min(S − a, Δ) | S > a], where S is the service of a past
  /// job (Tiresias, Gu et al., NSDI'19 §3.2; Gittins 1979). Without an end to Δ it is the number of
  /// samples above a over the sum of what they took beyond it. 0 where no sample is above a.
  [[nodiscard]] double gittins_index(double attained, double more) const;

 private:
  std::vector<double> samples_;  ///< ascending
  std::vector<double> sums_;     ///< of the samples from each on; one more than samples
  std::vector<double> new_;      ///< since the last fit
};

/// Reads samples from a text with one number of GPU-seconds per line. A first line that is not a
/// number is a heading. An error goes into `error`, with the number of the line.
[[nodiscard]] std::optional<ServiceHistory> parse_service_history(const std::string& text,
                                                                  std::string& error);

}  // namespace mimus::scheduler
