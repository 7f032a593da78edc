// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/gavel_replay.hpp"

#include "emulator/replay/gavel_replay_engine.hpp"

namespace mimus::emulator {

GavelReplay make_gavel_replay(const ClusterConfig& cluster, const EngineConfig& config,
                              const JobTruths& truths) {
  auto engine = std::make_unique<GavelReplayEngine>(cluster, truths, config.replayed_round);
  const GavelReplayEngine* asked = engine.get();
  return {std::move(engine), [asked](JobId job) { return asked->run_time_done(job); }};
}

}  // namespace mimus::emulator
