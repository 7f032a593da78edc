// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The policy's estimate of the rest of a job's training, with the total batch that its user
/// requested, on GPUs that are placed as tightly as possible.
class BelievedCourse {
 public:
  /// `query` must outlive this object.
  explicit BelievedCourse(const PlanQuery& query) : query_(query) {}

  /// Samples/s on `gpus` GPUs; nothing if there is no estimate of throughput or the batch does not
  /// fit.
  [[nodiscard]] std::optional<double> throughput(const JobView& job, int gpus) const;
  /// Time of one step on `gpus` GPUs; also nothing beyond the GPUs that the estimate covers.
  [[nodiscard]] std::optional<Duration> step_time(const JobView& job, int gpus) const;
  /// Progress of one step, in samples at M₀: batch × (φ + M₀) ÷ (φ + batch), with the estimated
  /// noise scale φ (Pollux, OSDI'21, Eq. 6), or the batch without an estimate.
  [[nodiscard]] double gain_of_step(const JobView& job) const;
  /// Estimated samples left, divided by the progress of a step. If the estimate has none, the rest
  /// of the estimated run time on the requested gang: (throughput there × run time − samples that
  /// the job has reported) ÷ batch, at least 0. Samples are reported as samples at M₀, so that a
  /// job with a larger batch seems further from its end than it is. Nothing if there is no
  /// estimated run time either, as for jobs whose users state none.
  [[nodiscard]] std::optional<double> steps_left(const JobView& job) const;
  /// Maximum number of GPUs on which the job can use the requested total batch.
  [[nodiscard]] int most_gpus(const JobView& job) const;

 private:
  const PlanQuery& query_;
};

}  // namespace mimus::scheduler
