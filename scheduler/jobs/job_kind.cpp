// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/jobs/job_kind.hpp"

#include <cmath>

namespace mimus::scheduler {

const JobKind& JobKinds::find(const JobView& job, int gpus) {
  const int gang = traits_.gang ? gpus : 0;
  std::string model = traits_.model ? job.model.name : "";
  constexpr double kSteps = 1e4;
  const double known = traits_.utilisation ? job.estimated_utilisation : 1.0;
  const auto steps = static_cast<int>(std::lround(known * kSteps));
  const auto number = static_cast<int>(kinds_.size());
  const auto [entry, is_new] = kinds_.try_emplace({gang, model, steps});
  if (is_new) entry->second = {number, gang, std::move(model), steps / kSteps};
  return entry->second;
}

}  // namespace mimus::scheduler
