// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/fixed.hpp"

namespace mimus::scheduler {

BatchPlan users_batch(const BatchQuery& query, bool measurable) {
  const std::int64_t total = query.job.requested_batch;
  const int least = measurable ? micro_batches_to_measure(
                                     query.job.model, static_cast<double>(total), query.job.gang)
                               : 1;
  return split_batch(total, query.job.gang, query.limits, least);
}

BatchPlan Fixed::plan(const BatchQuery& query) const {
  return users_batch(query, settings_.measurable);
}

}  // namespace mimus::scheduler
