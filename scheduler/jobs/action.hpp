// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/data_need.hpp"
#include "scheduler/jobs/device_limits.hpp"
#include "scheduler/jobs/node_power.hpp"
#include "scheduler/jobs/suspended_memory.hpp"

namespace mimus::scheduler {

// What a scheduler wants done. The testbed carries these out in order.
struct StartAttempt {
  JobId job;
  AttemptId attempt;  ///< chosen by the scheduler, unique and ascending over the cell
  Allocation allocation;
  BatchPlan batch;
  DeviceLimits limits;
};
struct StopAttempt {  ///< checkpoint at the next step boundary and free the allocation
  AttemptId attempt;
  std::string reason;
};
struct RetuneBatch {  ///< new batch from the next step boundary on, without a restart
  AttemptId attempt;
  BatchPlan batch;
};
/// The running attempt `from` ends at a step boundary, without a checkpoint, and `to` continues
/// there. Resized, with fewer or more GPUs: its slots are the first ones of `from`, or all of them
/// and new ones behind. Moved: it has no slot of `from`, and gets its state over the link between
/// the leads. If `from` ends for another reason before, `to` never begins.
struct ResizeAttempt {
  JobId job;
  AttemptId from;
  AttemptId to;  ///< chosen by the scheduler like that of StartAttempt
  Allocation allocation;
  BatchPlan batch;
  bool moves = false;  ///< moved, not resized
};
struct LimitAttempt {  ///< other limits from the next step boundary on
  AttemptId attempt;
  DeviceLimits limits;
};
/// The attempt makes no steps from the next step boundary on. It keeps its slots and its progress,
/// and the part of its memory that `keeps` names.
struct SuspendAttempt {
  AttemptId attempt;
  std::string reason;
  SuspendedMemory keeps = SuspendedMemory::all;
};
struct ResumeAttempt {  ///< a suspended attempt makes steps again
  AttemptId attempt;
};
struct GiveUpJob {  ///< the job leaves the system unfinished
  JobId job;
  std::string reason;
  bool killed = false;  ///< its user has cancelled it
};

using Action = std::variant<StartAttempt, StopAttempt, RetuneBatch, ResizeAttempt, LimitAttempt,
                            SuspendAttempt, ResumeAttempt, GiveUpJob>;

/// A node is taken out because attempts fail there, or returns.
struct NodeQuarantine {
  NodeId node;
  bool begins = true;
};

/// The decision on an event: what to do now and the latest instant of the next decision.
struct Decision {
  std::vector<Action> actions;
  std::string refused_plan{};  ///< why a plan, or the rest of one, is refused; else ""
  Instant wake_up = kNever;
  std::vector<NodePowerChange> power{};  ///< nodes that fall asleep, begin to boot, or have booted
  std::vector<NodeQuarantine> quarantine{};
  std::optional<std::vector<KeptData>> data{};  ///< what the cache keeps from now on, if it changes
};

}  // namespace mimus::scheduler
