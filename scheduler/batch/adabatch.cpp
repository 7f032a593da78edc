// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/adabatch.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

std::optional<std::int64_t> AdaBatch::total(const JobView& job,
                                            const TrainedSamples& trained) const {
  const double changes = std::floor(epochs(job, trained) / settings_.every);
  const double growth = std::pow(settings_.factor, changes);
  const auto most = static_cast<double>(std::max(job.model.total_batch_max, job.requested_batch));
  return std::llround(std::min(most, static_cast<double>(job.requested_batch) * growth));
}

}  // namespace mimus::scheduler
