// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/testbed/job_truth.hpp"

namespace mimus::emulator {

/// The simulator of Gavel's artifact (OSDI'20) or that of Shockwave's (NSDI'23), repeated.
struct GavelReplay {
  std::unique_ptr<Engine> engine;
  /// Recorded run time that a job has completed, as the engine knows it [s].
  std::function<double(JobId)> run_time_done;
};

/// `cluster` and `truths` must outlive it.
[[nodiscard]] GavelReplay make_gavel_replay(const ClusterConfig& cluster,
                                            const EngineConfig& config, const JobTruths& truths);

}  // namespace mimus::emulator
