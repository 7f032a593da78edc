// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Shockwave's estimate of a job's training.
struct TrainingBelief {
  double made = 0.0;   ///< share of its epochs, 0..1
  double spent = 0.0;  ///< time that these took [s]
  double rest = 0.0;   ///< time of the others at the mean time so far [s]
  double left = 0.0;   ///< predicted time of the others [s]
};

/// Estimate for a job whose batch changes, from its profile and its reports. The batch of each
/// epoch is learned by a Dirichlet distribution over the batches of the profile: a priori all are
/// equally frequent, and each epoch up to the present one counts as one observation (Zheng et al.,
/// NSDI'23 §5). Source: JobMetaData.py of its artifact. Deviation: samples are compared with the
/// profile's over the time that the job has trained, not since the run began.
class ProfiledTraining {
 public:
  /// `report` is from a job with a profile, and is passed once.
  void hear(const EpochProfile& profile, const EpochReport& report);
  /// `made`: epochs.
  [[nodiscard]] TrainingBelief belief(const EpochProfile& profile, double made) const;

 private:
  double samples_ = 0.0;  ///< reported so far
  double trained_ = 0.0;  ///< time in which they were made [s]
  double factor_ = 1.0;   ///< ratio of the time of epochs to the profiled one
};

/// Number of epochs that take this many seconds, as profiled.
[[nodiscard]] double epochs_within(const EpochProfile& profile, double seconds);

/// Estimate for a job without a profile, with one batch. Seconds > 0 are left.
[[nodiscard]] TrainingBelief unprofiled(double trained, double left);

}  // namespace mimus::scheduler
