// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/believed_course.hpp"

#include <algorithm>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {

std::optional<double> BelievedCourse::throughput(const JobView& job, int gpus) const {
  const ClusterShape& shape = query_.cluster.shape();
  if (gpus < 1 || gpus > shape.gpus()) return std::nullopt;
  const int nodes = (gpus + shape.gpus_per_node - 1) / shape.gpus_per_node;
  const StepRate rate = query_.estimate.rate_on(job, {nodes, gpus});
  if (!rate) return std::nullopt;
  const auto limits = limits_within(job.model, shape.gpu_memory);
  const auto believed = rate(split_batch(job.requested_batch, gpus, limits));
  return believed && *believed > 0.0 ? believed : std::nullopt;
}

std::optional<Duration> BelievedCourse::step_time(const JobView& job, int gpus) const {
  if (gpus > query_.estimate.most_gpus(job, kOnlyType)) return std::nullopt;
  const auto rate = throughput(job, gpus);
  if (!rate) return std::nullopt;
  return from_seconds(static_cast<double>(job.requested_batch) / *rate);
}

double BelievedCourse::gain_of_step(const JobView& job) const {
  const auto batch = static_cast<double>(job.requested_batch);
  const auto reference = static_cast<double>(job.model.reference_batch);
  const auto noise = query_.estimate.noise_scale(job);
  return noise ? batch * (*noise + reference) / (*noise + batch) : batch;
}

std::optional<double> BelievedCourse::steps_left(const JobView& job) const {
  if (const auto samples = query_.estimate.samples_left(job)) return *samples / gain_of_step(job);
  const auto rate = throughput(job, job.requested_gang);
  if (!rate || job.estimated_run_time <= Duration::zero()) return std::nullopt;
  const double samples = *rate * to_seconds(job.estimated_run_time) - job.progress.samples_done;
  return std::max(samples, 0.0) / static_cast<double>(job.requested_batch);
}

int BelievedCourse::most_gpus(const JobView& job) const {
  const std::int64_t by_batch = job.requested_batch / job.model.per_gpu_batch_min;
  return static_cast<int>(std::clamp<std::int64_t>(by_batch, 1, query_.cluster.shape().gpus()));
}

}  // namespace mimus::scheduler
