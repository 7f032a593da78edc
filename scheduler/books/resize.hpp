// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/units.hpp"
#include "scheduler/jobs/action.hpp"

namespace mimus::scheduler {

struct Books;
struct JobRecord;

/// Memory of a replica on the GPUs that the job has. If it is to be resized in place, that of the
/// larger of both batches: otherwise co-tenants could take it.
[[nodiscard]] Bytes needed_memory(const JobRecord& job);

/// Whether the job's current attempt can continue with more or fewer GPUs: it makes steps, and the
/// planner resizes in place.
[[nodiscard]] bool can_resize(const Books& books, const JobRecord& job);

/// Whether it can continue on other GPUs: it makes steps, and the planner moves jobs.
[[nodiscard]] bool can_move(const Books& books, const JobRecord& job);

/// Asks a running attempt to continue with `gpus` GPUs, fewer than it has: the first ones, so that
/// the gang's lead stays.
void shrink_attempt(Books& books, JobRecord& job, int gpus, Instant now, Decision& decision);

/// Where it could continue with more GPUs: its own and idle ones, first of its own nodes; nothing
/// if placement gives none.
[[nodiscard]] std::optional<Allocation> place_to_grow(Books& books, JobRecord& job, int gpus,
                                                      Instant now);

/// Asks it to continue there. `all` begins with its own GPUs; the others are idle and booked at
/// once. False, with no effect, if admission refuses them.
bool grow_attempt(Books& books, JobRecord& job, Allocation all, Instant now, Decision& decision);

/// Asks it to move to the GPUs of `place`, of which it has none; their number may differ. They are
/// booked at once. False, with no effect, if admission refuses them in addition to those it has.
bool move_attempt(Books& books, JobRecord& job, Allocation place, Instant now, Decision& decision);

/// The attempt has ended as resized or moved and is off the books. Books the next one in its place.
void begin_next(Books& books, JobRecord& job, Instant now);

/// The attempt has ended otherwise. Gives back what a resize in progress had booked, if there was
/// one.
void cancel_resize(Books& books, JobRecord& job);

}  // namespace mimus::scheduler
