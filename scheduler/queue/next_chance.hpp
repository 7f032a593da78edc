// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler {

/// The next instant at which a running job within reach may be stopped for one that is blocked now:
/// when a young job ranked after a blocked one may be stopped, or when a job ranked before it falls
/// behind it. kNever if there is none. `blocked`: ranks of waiting jobs, best first.
[[nodiscard]] Instant next_chance(const QueueState& state, std::span<const Rank> blocked,
                                  Reach reach, Instant now);

/// The same for one running job, filed and ranked before all of the blocked ones, of which the best
/// is at `first`. Costs O(log n).
[[nodiscard]] Instant next_chance_of(const QueueState& state, const JobRecord& running,
                                     const Rank& first, Instant now);

}  // namespace mimus::scheduler
