// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/loss_beliefs.hpp"

#include <algorithm>

namespace mimus::scheduler {

void LossBeliefs::observe(const JobView& job, const JobSample& sample) {
  if (sample.loss <= 0.0 || sample.samples_done <= 0.0 || sample.steps < 1) return;
  Knowledge& known = jobs_[job.id];
  const auto steps = static_cast<double>(sample.steps);
  if (known.steps == 0.0) known.begin = sample.begin;
  known.steps += steps;
  known.samples += (sample.samples_done - known.samples) * steps / known.steps;
  known.loss += (sample.loss - known.loss) * steps / known.steps;
  if (sample.end - known.begin < interval_ * 3 / 4) return;
  known.history.add(known.samples, known.loss);
  known.steps = known.samples = known.loss = 0.0;
  const auto model = known.history.fit(rule_);
  if (!model) return;
  const double before = known.belief ? known.belief->steepest : 0.0;
  known.belief = LossBelief{*model, std::max(before, known.history.decline(*model))};
}

const LossBelief* LossBeliefs::find(JobId job) const {
  const auto known = jobs_.find(job);
  return known != jobs_.end() && known->second.belief ? &*known->second.belief : nullptr;
}

std::optional<double> LossBeliefs::samples_left(const JobView& job) const {
  constexpr double kEpochsUnlessKnown = 20.0;
  constexpr double kMostEpochs = 100.0;
  const LossBelief* belief = find(job.id);
  const bool told = belief != nullptr && job.model.target_loss > 0.0;
  const auto end = told ? belief->model.samples_at(job.model.target_loss) : std::nullopt;
  const double done = job.progress.samples_done;
  const double epoch = job.epoch_samples;
  if (epoch <= 0.0) return end ? std::optional(std::max(*end - done, 0.0)) : std::nullopt;
  const double left = end ? *end - done : kEpochsUnlessKnown * epoch;
  return std::max(std::min(left, kMostEpochs * epoch - done), epoch);
}

}  // namespace mimus::scheduler
