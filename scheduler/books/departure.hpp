// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/books/books.hpp"

namespace mimus::scheduler {

/// The job, which neither waits nor has GPUs, leaves the system.
void leave(Books& books, JobRecord& job, JobState as);
/// It leaves unfinished: `failed`, `rejected` or `killed`.
void give_up(Books& books, JobRecord& job, JobState as, std::string reason, Decision& decision);

/// Its user has cancelled the job: it leaves the queue at once, or its attempt is asked to stop.
void cancel(Books& books, JobRecord& job, std::string reason, Instant now, Decision& decision);
/// Asks the attempt of a cancelled job to stop, unless that has been done, or it is between two
/// commands, or about to go on as another attempt. To be called again when that is over.
void stop_if_cancelled(Books& books, JobRecord& job, Instant now, Decision& decision);

}  // namespace mimus::scheduler
