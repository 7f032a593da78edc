// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "docs/examples/largest_gang_first.hpp"

#include <limits>

#include "base/fields.hpp"

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
  using S = LargestGangFirst::Settings;
  return choice<Order, LargestGangFirst>(
      "largest_gang_first", "larger gangs first, until a job has waited long enough",
      {field("patience", &S::patience, kNotNegative,
             "the wait after which a job comes before all others"),
       field("skip", &S::skip, "later jobs that fit may pass one that does not")});
}

}  // namespace mimus::scheduler
