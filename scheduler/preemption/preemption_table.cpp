// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/preemption/checkpoint.hpp"
#include "scheduler/preemption/no_preemption.hpp"

namespace mimus::scheduler {

const Registry<Preemption>& preemption_choices() {
  static const Registry<Preemption> table(
      "preemption",
      {choice<Preemption, NoPreemption>("none", "a started job runs until it ends"),
       choice<Preemption, Checkpoint>(
           "checkpoint",
           "running jobs ranked after a waiting one are checkpointed and stopped for it",
           {field("min_run", &Checkpoint::Settings::min_run, kNotNegative,
                  "minimum time from the first step to a stop")})});
  return table;
}

}  // namespace mimus::scheduler
