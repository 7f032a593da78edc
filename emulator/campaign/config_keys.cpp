// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/config_keys.hpp"

#include "emulator/campaign/cluster/cluster_keys.hpp"
#include "emulator/campaign/file_keys.hpp"
#include "emulator/campaign/measure.hpp"
#include "emulator/campaign/resources.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::emulator {

namespace {

void add_section(std::vector<ConfigKey>& keys, const std::string& section,
                 const std::vector<ParameterInfo>& more) {
  for (const ParameterInfo& key : more) keys.push_back({key, section + key.name});
}

}  // namespace

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    add_section(all, "", parameters_of(file_fields()));
    add_section(all, "cluster.", parameters_of(cluster_fields()));
    add_section(all, "workload.", parameters_of(workloads::workload_fields()));
    for (const EngineKey& key : engine_keys()) {
      all.push_back({key.key.info, "engine." + key.key.info.name, key.reader});
    }
    add_section(all, "measure.", parameters_of(measure_fields()));
    add_section(all, "resources.", parameters_of(resource_fields()));
    return all;
  }();
  return keys;
}

std::vector<EngineChoice> engine_choices() {
  std::vector<EngineChoice> out;
  const auto add = [&out](const std::string& key, const auto& registry) {
    for (const auto& choice : registry.choices()) {
      out.push_back({key, choice.name, choice.summary, choice.parameters});
    }
  };
  add("engine.step_time", step_time_choices({}));
  add("engine.interference", sharing_laws({}));
  return out;
}

}  // namespace mimus::emulator
