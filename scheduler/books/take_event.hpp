// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/books/books.hpp"

namespace mimus::scheduler {

/// Updates the books with an event; the view of an arriving job is moved out of it. Returns true if
/// a pass over the queue may lead to other actions than the last one.
[[nodiscard]] bool take_event(Books& books, Event&& event, Instant now, Decision& decision);

/// Rejects the waiting jobs that have never started.
void turn_away_waiting(Books& books, Instant now, Decision& decision);

}  // namespace mimus::scheduler
