// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Epochs left of a job, as the mean over the five finished trainings that were most similar at
/// this point: by ln(samples of an epoch), first loss, epochs done and 1 − loss ÷ first loss, each
/// in its standard deviations. Each whole epoch of a finished job is kept, the last 2,000 over all
/// jobs. This replaces the network by which ONES predicts the same from these features (SC'21 §4;
/// it also uses the accuracy, which jobs do not report here).
class AlikeEpochs {
 public:
  void observe(const JobView& job, const JobSample& sample);
  /// The job has finished as in its view.
  void learn(const JobView& finished);
  void forget(JobId job) { running_.erase(job); }
  /// Nothing before the first job has finished, or without epochs or losses.
  [[nodiscard]] std::optional<double> epochs_left(JobId job) const;

 private:
  static constexpr std::size_t kFeatures = 4;
  using Features = std::array<double, kFeatures>;
  struct Record {
    Features features;
    double left;  ///< epochs
  };
  struct Running {
    double first_loss = 0.0;
    double epochs = 0.0;                  ///< done
    std::vector<Features> epochs_passed;  ///< at the report after each
    std::optional<double> left;           ///< at the last report
  };

  [[nodiscard]] std::optional<double> mean_left(const Features& features) const;
  void measure_spread();

  std::map<JobId, Running> running_;
  std::deque<Record> records_;
  Features spread_{};  ///< standard deviations; 1 where all are equal
};

}  // namespace mimus::scheduler
