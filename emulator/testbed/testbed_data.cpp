// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What the testbed does where data sets are read through links.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {
namespace {

/// On the first GPUs of the cluster, as a profiler would run it.
Attempt as_asked(const JobTruth& truth, const scheduler::ClusterShape& shape) {
  Attempt attempt;
  attempt.job = truth.job.id;
  attempt.model = truth.model;
  for (int i = 0; i < truth.job.gang; ++i) {
    attempt.allocation.slots.push_back({GpuId{i}, shape.lane_of(GpuId{i}, 0)});
  }
  const workloads::BatchLimits& limits = truth.model->batch;
  attempt.batch.per_gpu = std::clamp((truth.job.total_batch + truth.job.gang - 1) / truth.job.gang,
                                     limits.per_gpu_min, limits.per_gpu_max);
  return attempt;
}

}  // namespace

scheduler::DataNeed Testbed::data_need(const JobTruth& truth) const {
  const workloads::Job& job = truth.job;
  if (!data_ || job.data_set.empty()) return {};
  if (job.data_size == Bytes{}) {
    throw UsageError(fmt::format(
        "job {} ({}) reads data set \"{}\", whose size is not stated; give it data_size, or add "
        "the set to workload.data_sets",
        job.id.value(), job.name, job.data_set));
  }
  const auto& shape = scheduler_.cluster().shape();
  if (truth.model == nullptr || job.gang < 1 || job.gang > shape.gpus()) return {};
  const double rate = data_->full_rate(as_asked(truth, shape), job);
  return {job.data_set, job.data_size, BytesPerSecond{rate}};
}

/// Tells attempts at which rates they read from now on.
void Testbed::read_on(Instant now) {
  if (!data_) return;
  for (const auto& change : data_->update(now)) {
    engine_.read(change.attempt, change.samples_per_second);
  }
}

void Testbed::write_data(Instant now) {
  if (!data_) return;
  for (const auto& [name, tenant] : data_->tenants(now)) {
    recorder_.add(results::TenantRow{.tenant = name,
                                     .weight = scheduler_.cache_weight(name),
                                     .read = tenant.read,
                                     .hit = tenant.hit,
                                     .worth = tenant.worth,
                                     .worth_alone = tenant.worth_alone,
                                     .speed = tenant.speed,
                                     .speed_uncached = tenant.speed_uncached});
  }
}

}  // namespace mimus::emulator
