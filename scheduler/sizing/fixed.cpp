// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/fixed.hpp"

namespace mimus::scheduler {

BatchPlan Fixed::plan(const SizingQuery& query) const {
  return split_batch(query.job.requested_batch, query.job.gang, query.limits);
}

}  // namespace mimus::scheduler
