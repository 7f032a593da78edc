// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/speedup.hpp"

#include "scheduler/planner/best_goodput.hpp"

namespace mimus::scheduler {

Speedup::Speedup(const Estimator& estimate, const JobView& job, const BatchLimits& limits,
                 int fair_gpus)
    : estimate_(estimate), job_(job), limits_(limits), fair_gpus_(fair_gpus) {
  of_fair_share_ = best_goodput(estimate, job, limits, {1, fair_gpus});
}

double Speedup::at(int nodes, int gpus) const {
  if (of_fair_share_ <= 0.0) return static_cast<double>(gpus) / fair_gpus_;
  return best_goodput(estimate_, job_, limits_, {nodes, gpus}) / of_fair_share_;
}

}  // namespace mimus::scheduler
