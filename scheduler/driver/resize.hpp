// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/action.hpp"

namespace mimus::scheduler {

struct JobRecord;
struct State;

/// Whether the job's present attempt can go on with more or fewer GPUs: it runs steps, and the
/// sizing choice resizes in place.
[[nodiscard]] bool can_resize(const State& state, const JobRecord& job);

/// Asks a running attempt to go on with `gpus` GPUs, fewer than it has: the first ones, so that the
/// gang's lead stays.
void shrink_attempt(State& state, JobRecord& job, int gpus, Decision& decision);

/// Asks it to go on with more: those it has and idle ones, of its own nodes first. They are booked
/// at once. False, with nothing changed, when admission or placement does not give them.
bool grow_attempt(State& state, JobRecord& job, int gpus, Instant now, Decision& decision);

/// The attempt has ended as resized and is off the books: the next one is put there.
void begin_resized(State& state, JobRecord& job, Instant now);

/// The attempt has ended otherwise: gives back what a resize under way had booked, if there was
/// one.
void cancel_resize(State& state, JobRecord& job);

}  // namespace mimus::scheduler
