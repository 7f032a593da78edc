// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/allocation.hpp"
#include "workloads/pollux/application.hpp"
#include "workloads/pollux/step_timing.hpp"

namespace mimus::emulator {

/// What the agent inside a job sees of a stretch of its training.
struct AgentObservation {
  JobId job;
  int nodes = 1;
  int replicas = 1;
  std::int64_t per_gpu_batch = 1;
  workloads::StepTiming timing;
  double noise_scale = 0.0;  ///< φ [samples]
};

/// An agent that adapts the batch of every job while it runs, within rounds of the replay.
class BatchAgent {
 public:
  virtual ~BatchAgent() = default;
  virtual void observe(const AgentObservation& observation) = 0;
  /// The batch to go on with on so many nodes and replicas; nothing to keep the job's total.
  [[nodiscard]] virtual std::optional<scheduler::BatchPlan> choose(
      JobId job, const workloads::PolluxApplication& application, int nodes, int replicas) = 0;
};

}  // namespace mimus::emulator
