// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scheduler/allocation.hpp"

namespace mimus::scheduler {

// What a scheduler wants done. The testbed carries these out in order.
struct StartAttempt {
  JobId job;
  AttemptId attempt;  ///< chosen by the scheduler, unique and ascending over the cell
  Allocation allocation;
  BatchPlan batch;
};
struct StopAttempt {  ///< checkpoint at the next step boundary and free the allocation
  AttemptId attempt;
  std::string reason;
};
struct RetuneBatch {  ///< new batch from the next step boundary on, without a restart
  AttemptId attempt;
  BatchPlan batch;
};
struct GiveUpJob {  ///< the job leaves the system unfinished
  JobId job;
  std::string reason;
};

using Action = std::variant<StartAttempt, StopAttempt, RetuneBatch, GiveUpJob>;

/// The outcome of one event: what to do now and when to ask again at the latest.
struct Decision {
  std::vector<Action> actions;
  Instant wake_up = kNever;
};

}  // namespace mimus::scheduler
