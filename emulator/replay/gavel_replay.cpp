// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/gavel_replay.hpp"

#include "emulator/replay/gavel_replay_engine.hpp"

namespace mimus::emulator {

GavelReplay make_gavel_replay(const ClusterConfig& cluster, const EngineConfig& config,
                              const JobTruths& truths) {
  GavelReplayEngine::Rounds rounds{.length = config.replayed_round};
  if (config.replay == EngineConfig::Replay::shockwave) {
    rounds.simulator = "shockwave";
    rounds.start = std::chrono::seconds{20};  // of its simulator
  }
  auto engine = std::make_unique<GavelReplayEngine>(cluster, truths, rounds);
  const GavelReplayEngine* asked = engine.get();
  return {std::move(engine), [asked](JobId job) { return asked->run_time_done(job); }};
}

}  // namespace mimus::emulator
