// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/replay_check.hpp"

#include <string>
#include <string_view>

namespace mimus::emulator {
namespace {

[[noreturn]] void refuse_replay(const Cell& cell, const char* section, const char* path,
                                const std::string& why) {
  const ConfigNode* node = find_path(cell.config, section);
  throw ConfigError(node != nullptr ? node->where : cell.config.where, path, why);
}

/// Its leases are those of the planner.
void check_leases(const Cell& cell) {
  const ConfigNode* step_time = find_path(cell.config, "engine.step_time.name");
  if (step_time == nullptr) step_time = find_path(cell.config, "engine.step_time");
  if (step_time == nullptr || step_time->scalar != "duration") {
    refuse_replay(
        cell, "engine", "engine.replay",
        "gavel and shockwave replay run times that hold on a GPU type: set engine.step_time to "
        "duration");
  }
  const ConfigNode* planner = find_path(cell.config, "policy.planner.name");
  if (planner == nullptr) planner = find_path(cell.config, "policy.planner");
  if (planner == nullptr || (planner->scalar != "gavel" && planner->scalar != "shockwave")) {
    refuse_replay(cell, "policy", "policy.planner",
                  "the simulator that engine.replay follows leases GPUs as the planners gavel and "
                  "shockwave do; take one of them, or leave engine.replay out");
  }
}

/// Its jobs share GPUs in pairs.
bool is_gavel(const EngineConfig& engine) {
  return engine.replay == EngineConfig::Replay::gavel;
}

}  // namespace

/// Replays resize jobs only by restarts. They do not know outages of nodes.
void check_replay(const Cell& cell, const CellConfig& config) {
  if (config.engine.replay == EngineConfig::Replay::none) return;
  if (config.engine.replays_leases()) check_leases(cell);
  if (config.row->resizes_in_place()) {
    refuse_replay(cell, "policy", "policy.planner.resize",
                  "in_place cannot be replayed with engine.replay: that simulator restarts the "
                  "jobs that it resizes; set it to restart, or leave engine.replay out");
  }
  if (config.row->max_tenants() > 1 && !is_gavel(config.engine)) {
    refuse_replay(cell, "policy", config.row->planner ? "policy.planner" : "policy.sharing",
                  "the simulator that engine.replay follows puts one job on a GPU: take a choice "
                  "that does so, or leave engine.replay out");
  }
  if (config.workload->hears() == workloads::Hears::progress) {
    refuse_replay(cell, "workload.rule", "workload.rule",
                  "the simulator that engine.replay follows tells a workload of no progress; leave "
                  "engine.replay out, or set the rule to random");
  }
  if (config.learning.rate.rule != scheduler::LearningRate::Rule::adascale) {
    refuse_replay(cell, "policy.batch", "policy.batch.learning_rate",
                  "the simulator that engine.replay follows has AdaScale's learning rates only; "
                  "set it to adascale, or leave engine.replay out");
  }
  if (config.checkpoint_every) {
    refuse_replay(cell, "workload.checkpoint_every", "workload.checkpoint_every",
                  "jobs of the simulator that engine.replay follows write checkpoints only when "
                  "they are stopped; leave it or engine.replay out");
  }
  const bool by_chance = config.cluster.node_failures.has_value();
  if (by_chance || !config.cluster.outages.empty()) {
    const char* key = by_chance ? "cluster.node_failures" : "cluster.outages";
    refuse_replay(
        cell, key, key,
        "the simulator that engine.replay follows has no outages; leave them or engine.replay out");
  }
}

}  // namespace mimus::emulator
