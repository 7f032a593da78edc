// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/hosts_check.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/placement/placement.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/preemption/preemption.hpp"

namespace mimus::emulator {
namespace {

std::vector<std::string> placements_of_hosts() {
  const auto choices = scheduler::placement_choices({});
  std::vector<std::string> names;
  for (const std::string& name : choices.names()) {
    if (choices.make_default(name)->places_hosts()) names.push_back(name);
  }
  return names;
}

[[noreturn]] void refuse_hosts(const Cell& cell, const char* key, const std::string& why) {
  const ConfigNode* node = find_path(cell.config, key);
  throw ConfigError(node != nullptr ? node->where : cell.config.where, key,
                    why + "; or leave cores and host_memory of the cluster out");
}

}  // namespace

void check_hosts_of(const Cell& cell, const CellConfig& config) {
  if (!config.cluster.shape.has_hosts()) return;
  const scheduler::Policy& policy = *config.row;
  if (policy.planner != nullptr) {
    refuse_hosts(cell, "policy.planner",
                 "does not account for cores and memory of nodes: leave it out");
  }
  if (!policy.placement->places_hosts()) {
    refuse_hosts(cell, "policy.placement",
                 fmt::format("does not account for cores and memory of nodes: choose one of {}",
                             fmt::join(placements_of_hosts(), ", ")));
  }
  if (policy.preemption->active()) {
    refuse_hosts(cell, "policy.preemption",
                 "frees GPUs for a job, but does not reserve cores and memory: set it to none");
  }
}

void check_overcommit(const Cell& cell, const CellConfig& config, bool slows_steps) {
  const EngineConfig& engine = config.engine;
  if (config.cluster.shape.core_overcommit <= 1.0) return;
  const auto refuse = [&](const std::string& why) {
    const ConfigNode* node = find_path(cell.config, "cluster.core_overcommit");
    throw ConfigError(node->where, "cluster.core_overcommit", why + ", or leave it out");
  };
  if (!config.cluster.shape.has_hosts()) refuse("needs cores: state cluster.cores of the nodes");
  if (engine.kind == EngineConfig::Kind::live &&
      (engine.on_cuda() || engine.pace != EngineConfig::Pace::datasheet)) {
    refuse("slows emulated GPUs only: set engine.device: cpu and engine.pace: datasheet");
  }
  if (engine.replay != EngineConfig::Replay::none) {
    refuse("is unknown to the simulator that engine.replay follows: leave that out");
  }
  if (slows_steps) return;
  refuse(
      "slows input pipelines, of which these step times take no account: set engine.step_time to "
      "duration, or to analytic or measured without shares_hosts: false or hosts: never");
}

std::string why_not_without_gpus(const CellConfig& config, const workloads::Job& job) {
  if (job.gang > 0) return "";
  if (config.engine.kind == EngineConfig::Kind::live) {
    return "asks for no GPU, but the live engine has ranks for GPUs only; set engine.kind: "
           "virtual, or leave such jobs out (for a trace: workload.zero_gpus)";
  }
  if (config.row->places_hosts()) return "";
  return fmt::format(
      "asks for no GPU, which the policy does not place; set policy.placement to one of {}, "
      "without a planner, or leave such jobs out (for a trace: workload.zero_gpus)",
      fmt::join(placements_of_hosts(), ", "));
}

}  // namespace mimus::emulator
