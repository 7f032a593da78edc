// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Why an attempt ended, from the engine's point of view. `resized`, `moved`: another attempt of
/// the job continues, see ResizeAttempt. `worker_lost`: a process that emulated one of its GPUs
/// died.
enum class EndReason {
  finished,
  preempted,
  failed,
  out_of_memory,
  node_down,
  resized,
  worker_lost,
  moved
};
[[nodiscard]] const char* name(EndReason reason);
/// True if another attempt continues where this one ended, as requested by ResizeAttempt.
[[nodiscard]] constexpr bool is_followed(EndReason reason) {
  return reason == EndReason::resized || reason == EndReason::moved;
}

// What happens to a scheduler. Engines and the testbed make these; times are passed beside them.
struct JobArrived {
  JobView job;
};
/// Its user takes the job back: it leaves, once its attempt has ended if it has one. Ignored where
/// it has left already.
struct JobCancelled {
  JobId job;
  std::string reason;  ///< for the record
};
struct AttemptStarted {  ///< the gang has run its first step
  AttemptId attempt;
  Instant at = kNever;  ///< when, if that was earlier, as in rounds
};
struct AttemptSuspended {  ///< its last step has ended, and its GPUs are free for others
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct AttemptResumed {  ///< its next step begins
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct AttemptLimited {  ///< the limits last requested are in force
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct ProgressReported {
  AttemptId attempt;
  ProgressBelief progress;
  std::vector<JobSample> samples{};  ///< empty unless Scheduler::wants_samples()
};
struct AttemptEnded {
  AttemptId attempt;
  EndReason reason = EndReason::finished;
  std::string detail;
  double samples_done = 0.0;  ///< kept by its last checkpoint or by its successor, at M₀
  NodeId node{};              ///< node of the failure, if exit codes name it; else none
};
struct NodeDown {
  NodeId node;
};
struct NodeUp {
  NodeId node;
};
/// A GPU is gone for the rest of the run.
struct GpuDown {
  GpuId gpu;
  std::string detail;  ///< why, for the record
};
struct Timer {};  ///< a wake-up that a policy requested

using Event =
    std::variant<JobArrived, JobCancelled, AttemptStarted, AttemptSuspended, AttemptResumed,
                 AttemptLimited, ProgressReported, AttemptEnded, NodeDown, NodeUp, GpuDown, Timer>;

}  // namespace mimus::scheduler
