// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/retry.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Recovery> make_retry(YamlReader& reader) {
  Retry::Settings settings;
  settings.retries = static_cast<int>(
      reader.get_or<std::int64_t>("retries", 3, Limits{.min = 0.0, .max = 1'000'000.0}));
  settings.delay = reader.get_or("delay", Duration::zero(), kNotNegative);
  const std::string on_memory =
      reader.choice_or("on_oom", {"halve_batch", "give_up"}, "halve_batch");
  settings.on_memory =
      on_memory == "give_up" ? Retry::OnMemory::give_up : Retry::OnMemory::halve_batch;
  return std::make_unique<Retry>(settings);
}

}  // namespace

const Registry<Recovery>& recovery_choices() {
  static const Registry<Recovery> table(
      "recovery",
      {{"retry",
        "start again after a failure, a fixed number of times",
        {{"retries", "integer", "3", ">= 0", "failures after which a job is given up, less one"},
         {"delay", "duration", "0 s", ">= 0", "wait before the next attempt"},
         {"on_oom", "text", "halve_batch", "halve_batch or give_up",
          "out of memory: halve the per-GPU batch and accumulate more often, or give up"}},
        make_retry}});
  return table;
}

}  // namespace mimus::scheduler
