// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/learned_run_time.hpp"

namespace mimus::scheduler {

const Domain<JobKey>& job_keys() {
  static const Domain<JobKey> keys{{"user", JobKey::user},
                                   {"group", JobKey::group},
                                   {"virtual_cluster", JobKey::virtual_cluster},
                                   {"gang", JobKey::gang},
                                   {"model", JobKey::model}};
  return keys;
}

std::string value_of(const JobView& job, JobKey key) {
  switch (key) {
    case JobKey::user:
      return job.user;
    case JobKey::group:
      return job.group;
    case JobKey::virtual_cluster:
      return job.virtual_cluster;
    case JobKey::gang:
      return std::to_string(job.gang);
    case JobKey::model:
      return job.model.name;
  }
  return {};
}

void LearnedRunTime::learn(const JobView& finished, Instant now) {
  const double replica_seconds = static_cast<double>(finished.replica_time(now).count()) / 1e9;
  learn_run_time(finished, replica_seconds / finished.replicas(), now);
}

std::optional<double> LearnedRunTime::throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const {
  return profile_.throughput(job, allocation, batch);
}

std::optional<double> LearnedRunTime::noise_scale(const JobView& job) const {
  return profile_.noise_scale(job);
}

}  // namespace mimus::scheduler
