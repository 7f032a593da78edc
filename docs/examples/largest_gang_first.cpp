// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "docs/examples/largest_gang_first.hpp"

#include <limits>

namespace mimus::scheduler {

bool LargestGangFirst::has_waited_enough(const JobView& job, Instant now) const {
  return now - job.queued_since >= settings_.patience;
}

Rank LargestGangFirst::rank(const JobView& job, Instant now) const {
  const bool first = !job.holds_gpus() && has_waited_enough(job, now);
  return {.major = first ? std::numeric_limits<std::int64_t>::min() : -std::int64_t{job.gang},
          .arrival = job.arrival,
          .job = job.id};
}

Instant LargestGangFirst::next_change(const JobView& job, Instant now) const {
  if (job.holds_gpus() || has_waited_enough(job, now)) return kNever;
  return job.queued_since + settings_.patience;
}

Choice<Order> largest_gang_first_choice() {
  return {.name = "largest_gang_first",
          .summary = "larger gangs first, until a job has waited long enough",
          .parameters = {{"patience", "duration", "1 h", ">= 0 s",
                          "the wait after which a job "
                          "comes before all others"},
                         {"skip", "boolean", "true", "true or false",
                          "later jobs that fit may pass one that does not"}},
          .make = [](YamlReader& reader) -> std::unique_ptr<Order> {
            LargestGangFirst::Settings settings;
            settings.patience =
                reader.get_or<Duration>("patience", std::chrono::hours{1}, kNotNegative);
            settings.skip = reader.get_or("skip", true);
            return std::make_unique<LargestGangFirst>(settings);
          }};
}

}  // namespace mimus::scheduler
