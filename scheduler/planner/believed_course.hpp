// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// What the policy's estimate believes of a job's way to its end, with the total batch that its
/// user asked for, on GPUs that are placed as tightly as possible.
class BelievedCourse {
 public:
  /// `query` must outlive this object.
  explicit BelievedCourse(const PlanQuery& query) : query_(query) {}

  /// Samples/s on `gpus` GPUs; nothing where no throughput is believed or the batch does not fit.
  [[nodiscard]] std::optional<double> throughput(const JobView& job, int gpus) const;
  /// One step on `gpus` GPUs; nothing also beyond the GPUs that the estimate answers for.
  [[nodiscard]] std::optional<Duration> step_time(const JobView& job, int gpus) const;
  /// What one step gains, in samples at M₀: batch × (φ + M₀) ÷ (φ + batch), with the noise scale φ
  /// that is believed (Pollux, OSDI'21, Eq. 6); the batch where none is.
  [[nodiscard]] double gain_of_step(const JobView& job) const;
  /// The samples that the estimate believes to be left over what a step gains. Where it does not
  /// say, what is left of the believed run time on the gang asked for: (throughput there × run time
  /// − samples that the job has reported) ÷ batch, at least none. Samples are reported as those at
  /// M₀, so that a batch above it then seems to be further from its end than it is. Nothing where
  /// no run time is believed either, as of jobs whose user states none.
  [[nodiscard]] std::optional<double> steps_left(const JobView& job) const;
  /// Most GPUs on which the job can use the total batch asked for.
  [[nodiscard]] int most_gpus(const JobView& job) const;

 private:
  const PlanQuery& query_;
};

}  // namespace mimus::scheduler
