// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/adabatch.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

void AdaBatch::learn(TrainedSamples& trained, const JobSample& sample) const {
  const std::int64_t total = sample.batch.total(static_cast<std::size_t>(sample.gpus));
  trained.samples += static_cast<double>(sample.steps * total);
}

std::optional<std::int64_t> AdaBatch::total(const JobView& job,
                                            const TrainedSamples& trained) const {
  const double epochs = trained.samples / static_cast<double>(job.model.epoch_samples);
  const double growth = std::pow(settings_.factor, std::floor(epochs / settings_.every));
  const auto most = static_cast<double>(std::max(job.model.total_batch_max, job.requested_batch));
  return std::llround(std::min(most, static_cast<double>(job.requested_batch) * growth));
}

}  // namespace mimus::scheduler
