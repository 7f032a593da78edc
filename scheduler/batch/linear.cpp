// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/linear.hpp"

#include <algorithm>

namespace mimus::scheduler {

BatchPlan Linear::plan(const BatchQuery& query) const {
  const BatchLimits& limits = query.limits;
  const std::int64_t per_gpu = std::clamp(query.job.model.reference_batch, limits.per_gpu_min,
                                          std::max(limits.per_gpu_min, limits.per_gpu_max));
  return split_batch(per_gpu * query.job.gang, query.job.gang, limits);
}

}  // namespace mimus::scheduler
