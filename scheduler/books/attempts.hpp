// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/books/books.hpp"

namespace mimus::scheduler {

/// Starts a waiting job on an allocation with its current gang.
void start_attempt(Books& books, JobRecord& job, Allocation allocation, Instant now,
                   Decision& decision);
/// A running attempt continues with another batch from its next step boundary on.
void retune_attempt(Books& books, JobRecord& job, const BatchPlan& batch, Decision& decision);
/// A running attempt may use this share of its GPUs' time from its next step boundary on.
void limit_attempt(Books& books, JobRecord& job, const DeviceLimits& limits, Decision& decision);
/// A running attempt makes no steps from its next step boundary on. What it does not keep of its
/// memory stays booked until then.
void suspend_attempt(JobRecord& job, SuspendedMemory keeps, std::string reason, Decision& decision);
/// A suspended attempt makes steps again, and all of its memory is booked.
void resume_attempt(Books& books, JobRecord& job, Decision& decision);
/// Books a running job as being stopped and giving back this number of GPUs.
void mark_stopping(Books& books, JobRecord& job, MilliGpus giving_back, Instant now);
/// Asks a running job to stop.
void stop_attempt(Books& books, JobRecord& job, std::string reason, Instant now,
                  Decision& decision);
/// From now on an opportunistic job counts as a guaranteed one; no effect on other jobs.
void promote(Books& books, JobRecord& job);
/// Ends the job's current attempt on the books.
void free_gpus(Books& books, JobRecord& job, EndReason reason, Instant now);

}  // namespace mimus::scheduler
