// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/jobs/action.hpp"

namespace mimus::scheduler {

struct Books;
struct JobRecord;

/// Whether the job's present attempt can go on with more or fewer GPUs: it runs steps, and the
/// planner resizes in place.
[[nodiscard]] bool can_resize(const Books& books, const JobRecord& job);

/// Whether it can go on on other GPUs: it makes steps, and the planner moves jobs.
[[nodiscard]] bool can_move(const Books& books, const JobRecord& job);

/// Asks a running attempt to go on with `gpus` GPUs, fewer than it has: the first ones, so that the
/// gang's lead stays.
void shrink_attempt(Books& books, JobRecord& job, int gpus, Instant now, Decision& decision);

/// Where it could go on with more: the GPUs that it has and idle ones, of its own nodes first;
/// nothing when placement does not give them.
[[nodiscard]] std::optional<Allocation> place_to_grow(Books& books, JobRecord& job, int gpus,
                                                      Instant now);

/// Asks it to go on there; `all` begins with the GPUs that it has, the others are idle and booked
/// at once. False, with nothing changed, when admission does not give them.
bool grow_attempt(Books& books, JobRecord& job, Allocation all, Instant now, Decision& decision);

/// Asks it to go on on the GPUs of `place`, of which it has none, as many or not. They are booked
/// at once. False, with nothing changed, when admission does not give them beside those it has.
bool move_attempt(Books& books, JobRecord& job, Allocation place, Instant now, Decision& decision);

/// The attempt has ended as resized or moved and is off the books: the next one is put there.
void begin_next(Books& books, JobRecord& job, Instant now);

/// The attempt has ended otherwise: gives back what a resize under way had booked, if there was
/// one.
void cancel_resize(Books& books, JobRecord& job);

}  // namespace mimus::scheduler
