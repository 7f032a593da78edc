// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "scheduler/fit/loss_history.hpp"
#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Estimated losses of running jobs, by fits to what each has reported. Reports are joined until
/// they cover three quarters of `interval`, because engines do not report equally often and the
/// weight of a report depends on its number.
class LossBeliefs {
 public:
  LossBeliefs(LossRule rule, Duration interval) : rule_(rule), interval_(interval) {}

  void observe(const JobView& job, const JobSample& sample);
  void forget(JobId job) { jobs_.erase(job); }
  /// Null before the third report. Valid until the next one.
  [[nodiscard]] const LossBelief* find(JobId job) const;
  /// Samples at M₀ until the fitted loss is the one at which the job's owner ends its training, as
  /// in Optimus' code: 20 epochs if the fit gives none, and at most 100 epochs in total. At least
  /// one epoch: otherwise a job that runs beyond its predicted end would seem to gain nothing from
  /// GPUs. Nothing if a job has neither losses nor epochs.
  [[nodiscard]] std::optional<double> samples_left(const JobView& job) const;

 private:
  struct Knowledge {
    LossHistory history;
    std::optional<LossBelief> belief;
    Instant begin{};       ///< of the reports that are joined now
    double steps = 0.0;    ///< of those
    double samples = 0.0;  ///< their mean, weighted by steps
    double loss = 0.0;     ///< likewise
  };

  LossRule rule_;
  Duration interval_;
  std::map<JobId, Knowledge> jobs_;
};

}  // namespace mimus::scheduler
