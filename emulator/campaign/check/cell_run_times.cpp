// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/cell_run_times.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "emulator/campaign/config_keys.hpp"
#include "emulator/virtual/oracle/packed_rates.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::emulator {
namespace {

using Rates = std::shared_ptr<const workloads::TrainingRates>;

/// More GPUs than any gang asks for.
constexpr int kAnyGang = 1'000'000;

kernels::GpuSpec machine_type(const ConfigNode& type, const std::string& path) {
  if (type.kind == ConfigNode::Kind::mapping) return kernels::read_gpu(type, path);
  const auto name = read_scalar<std::string>(type, path);
  const auto names = kernels::gpu_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw ConfigError(type.where, path, unknown_name_message("GPU type", name, names));
  }
  return kernels::gpu_spec(name);
}

workloads::RunTimes run_times(const ConfigNode& workload, Rates on_cluster,
                              const workloads::ModelCatalogue& models) {
  YamlReader reader(workload, "workload");
  const auto elsewhere = workloads::read_workload_keys(reader).duration_on;
  if (!elsewhere) return {on_cluster, on_cluster};
  const auto type = usual_cluster(*elsewhere, reader.child_path("duration_on"), kAnyGang);
  return {std::make_shared<PackedRates>(type, models), on_cluster};
}

/// Whether jobs run for their recorded times, with or without a model.
bool counts_recorded(const EngineConfig& engine) {
  const ConfigNode* name = engine.step_time.find("name");
  const std::string& choice = name != nullptr ? name->scalar : engine.step_time.scalar;
  return engine.kind == EngineConfig::Kind::virtual_time && choice == "duration";
}

Rates rates_of(const CellConfig& config, const workloads::ModelCatalogue& models) {
  const bool live = config.engine.kind == EngineConfig::Kind::live;
  if (live || counts_recorded(config.engine)) {
    return std::make_shared<PackedRates>(config.cluster, models);
  }
  const StepTimeInputs inputs{config.cluster, &models};
  return std::make_shared<PackedRates>(
      config.cluster, models, [inputs, choice = config.engine.step_time] {
        return step_time_choices(inputs).make(choice, "engine.step_time");
      });
}

}  // namespace

ClusterConfig usual_cluster(const ConfigNode& type, const std::string& path, int gpus) {
  const kernels::GpuSpec gpu = machine_type(type, path);
  const int nodes = (gpus + gpu.gpus_per_node - 1) / gpu.gpus_per_node;
  ConfigNode cluster = ConfigNode::mapping(type.where);
  const auto set = [&](const char* key, const std::string& value) {
    cluster.members.emplace_back(key, ConfigNode::text(value, type.where));
  };
  set("gpu", gpu.name);
  set("nodes", fmt::format("{}", std::min(nodes, 100'000)));
  set("gpus_per_node", fmt::format("{}", gpu.gpus_per_node));
  if (type.kind == ConfigNode::Kind::mapping) cluster.members.emplace_back("machine", type);
  ConfigNode document = ConfigNode::mapping(type.where);
  document.members.emplace_back("cluster", std::move(cluster));
  return read_cluster(resolved_cell(document));
}

workloads::RunTimes run_times_on(const ClusterConfig& cluster, const ConfigNode& workload,
                                 const workloads::ModelCatalogue& models) {
  return run_times(workload, std::make_shared<PackedRates>(cluster, models), models);
}

void add_run_time_notes(const Cell& cell, const CellConfig& config,
                        std::vector<std::string>& notes) {
  const ConfigNode* elsewhere = find_path(cell.config, "workload.duration_on");
  if (elsewhere == nullptr || !counts_recorded(config.engine)) return;
  notes.push_back(
      fmt::format("{}: workload.duration_on has no effect: with engine.step_time: duration, jobs "
                  "run for the stated times on any machine",
                  elsewhere->where.str()));
}

workloads::RunTimes run_times_of(const Cell& cell, const CellConfig& config,
                                 const workloads::ModelCatalogue& models) {
  const Rates on_cluster = rates_of(config, models);
  if (counts_recorded(config.engine)) {
    return workloads::RunTimes{on_cluster, on_cluster}.recorded();
  }
  return run_times(*cell.config.find("workload"), on_cluster, models);
}

}  // namespace mimus::emulator
