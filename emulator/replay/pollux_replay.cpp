// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/pollux_replay.hpp"

#include "emulator/replay/pollux_oracle.hpp"
#include "emulator/replay/pollux_replay_engine.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {

PolluxReplay make_pollux_replay(const ClusterConfig& cluster, const EngineConfig& config,
                                ReplayedBatches batches, const JobTruths& truths) {
  const ConfigNode* path = config.step_time.find("path");
  auto profiles = std::make_shared<const workloads::PolluxProfiles>(
      workloads::expanded_path(workloads::named_path(*path, "engine.step_time.path")));
  auto engine = std::make_unique<PolluxReplayEngine>(
      cluster, *profiles,
      PolluxReplayEngine::Settings{
          .round = std::chrono::duration_cast<std::chrono::seconds>(config.round).count(),
          .interference = config.replay_interference.value_or(0.0),
          .users_batch = batches.users_batch,
          .reports_epochs = batches.reports_epochs});
  const PolluxReplayEngine* asked = engine.get();
  // A job between two attempts has lost nothing, because the replay keeps its training itself.
  const JobLookup jobs{[&truths](JobId job) -> const workloads::Job& { return truths.at(job).job; },
                       [asked](JobId job) { return asked->samples_done(job); }};
  auto oracle = std::make_shared<PolluxOracle>(cluster, *profiles, jobs);
  return {std::move(profiles), std::move(engine), std::move(oracle)};
}

}  // namespace mimus::emulator
