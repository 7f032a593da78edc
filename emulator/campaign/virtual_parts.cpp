// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/virtual_parts.hpp"

#include "emulator/campaign/cell_check.hpp"
#include "emulator/virtual/model_oracle.hpp"
#include "emulator/virtual/pollux_oracle.hpp"
#include "emulator/virtual/pollux_replay_engine.hpp"
#include "workloads/traces/input_file.hpp"

namespace mimus::emulator {
namespace {

void add_virtual_engine(VirtualParts& parts, const CellConfig& config,
                        const workloads::ModelCatalogue& models, const JobTruths& truths,
                        const VirtualEngine::Settings& settings) {
  auto engine = std::make_unique<VirtualEngine>(config.cluster, config.engine, *parts.steps,
                                                *parts.interference, settings);
  const VirtualEngine* asked = engine.get();
  const JobLookup jobs{[&truths](JobId job) -> const workloads::Job& { return truths.at(job).job; },
                       [&truths, asked](JobId job) {
                         const JobTruth& truth = truths.at(job);
                         return truth.attempt ? asked->samples_done(truth.attempt)
                                              : truth.samples_done;
                       }};
  parts.oracle = std::make_shared<ModelOracle>(config.cluster, *parts.steps, models, jobs);
  parts.engine = std::move(engine);
}

void add_pollux_replay(VirtualParts& parts, const CellConfig& config, const JobTruths& truths) {
  const ConfigNode* path = config.engine.step_time.find("path");
  auto profiles =
      std::make_shared<const workloads::PolluxProfiles>(workloads::expanded_path(path->scalar));
  auto engine = std::make_unique<PolluxReplayEngine>(config.cluster, *profiles,
                                                     PolluxReplayEngine::Settings{});
  const PolluxReplayEngine* asked = engine.get();
  // A job between two attempts has lost nothing: the replay keeps its training itself.
  const JobLookup jobs{[&truths](JobId job) -> const workloads::Job& { return truths.at(job).job; },
                       [asked](JobId job) { return asked->samples_done(job); }};
  parts.oracle = std::make_shared<PolluxOracle>(config.cluster, *profiles, jobs);
  parts.engine = std::move(engine);
  parts.data = std::move(profiles);
}

}  // namespace

VirtualParts make_virtual_parts(const CellConfig& config, const workloads::ModelCatalogue& models,
                                const JobTruths& truths, const VirtualEngine::Settings& settings) {
  VirtualParts parts;
  parts.steps = make_step_time(config, models);
  parts.interference = make_interference(config, models, *parts.steps);
  if (config.engine.replay == EngineConfig::Replay::pollux_artifact) {
    add_pollux_replay(parts, config, truths);
  } else {
    add_virtual_engine(parts, config, models, truths, settings);
  }
  return parts;
}

}  // namespace mimus::emulator
