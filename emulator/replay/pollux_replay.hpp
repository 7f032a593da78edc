// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/testbed/job_truth.hpp"
#include "scheduler/estimate/oracle.hpp"

namespace mimus::emulator {

/// The simulator of the Pollux artifact (OSDI'21), repeated from its measured tables, and the truth
/// for policies.
struct PolluxReplay {
  std::shared_ptr<const void> data;  ///< tables that the engine and the oracle refer to
  std::unique_ptr<Engine> engine;
  std::shared_ptr<const scheduler::Oracle> oracle;  ///< looks at the engine and at `truths`
};

/// What the row asks of the replay; as in PolluxReplayEngine::Settings.
struct ReplayedBatches {
  bool users_batch = true;
  bool reports_epochs = false;
};

/// The tables are those of `engine.step_time.path`. `cluster` and `truths` must outlive it.
[[nodiscard]] PolluxReplay make_pollux_replay(const ClusterConfig& cluster,
                                              const EngineConfig& config, ReplayedBatches batches,
                                              const JobTruths& truths);

}  // namespace mimus::emulator
