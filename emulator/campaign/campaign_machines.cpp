// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_machines.hpp"

#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "kernels/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

const ConfigNode* named(const std::vector<ConfigNode>& machines, const ConfigNode& name) {
  const ConfigNode* found = nullptr;
  for (const ConfigNode& machine : machines) {
    if (machine.find("name")->scalar == name.scalar) found = &machine;
  }
  return found;
}

}  // namespace

std::vector<ConfigNode> own_machines(YamlReader& root) {
  std::vector<ConfigNode> machines;
  for (const std::string& file : listed_files(root, "gpus")) {
    const ConfigNode document = load_yaml_file(file);
    YamlReader table(document, "");
    (void)table.get<std::int64_t>("schema", {.min = 1, .max = 1});
    for (const ConfigNode& entry : table.sequence("gpus")) {
      (void)kernels::read_gpu(entry, "gpus");
      machines.push_back(entry);
    }
    table.finish();
  }
  return machines;
}

void describe_machines(ConfigNode& document, const std::vector<ConfigNode>& machines) {
  const ConfigNode* gpu = find_path(document, "cluster.gpu");
  const bool described = find_path(document, "cluster.machine") != nullptr;
  if (gpu != nullptr && !described) {
    if (const ConfigNode* own = named(machines, *gpu)) set_path(document, "cluster.machine", *own);
  }
  const ConfigNode* durations = find_path(document, "workload.duration_on");
  if (durations == nullptr) return;
  if (const ConfigNode* own = named(machines, *durations)) {
    set_path(document, "workload.duration_on", *own);
  }
}

}  // namespace mimus::emulator
