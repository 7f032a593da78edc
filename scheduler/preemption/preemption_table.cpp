// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/checkpoint.hpp"
#include "scheduler/preemption/no_preemption.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Preemption> make_checkpoint(YamlReader& reader) {
  return std::make_unique<Checkpoint>(
      reader.get_or<Duration>("min_run", std::chrono::seconds(60), kNotNegative));
}

}  // namespace

const Registry<Preemption>& preemption_choices() {
  static const Registry<Preemption> table(
      "preemption",
      {{"none",
        "a started job runs until it ends",
        {},
        [](YamlReader&) { return std::make_unique<NoPreemption>(); }},
       {"checkpoint",
        "running jobs ranked after a waiting one are checkpointed and stopped for it",
        {{"min_run", "duration", "60 s", ">= 0", "least time from a first step to a stop"}},
        make_checkpoint}});
  return table;
}

}  // namespace mimus::scheduler
