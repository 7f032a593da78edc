// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_machines.hpp"

#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "kernels/gpu_spec.hpp"

namespace mimus::emulator {

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

void describe_machine(ConfigNode& document, const std::vector<ConfigNode>& machines) {
  const ConfigNode* gpu = find_path(document, "cluster.gpu");
  if (gpu == nullptr || find_path(document, "cluster.machine") != nullptr) return;
  const std::string name = gpu->scalar;
  for (const ConfigNode& machine : machines) {
    if (machine.find("name")->scalar == name) set_path(document, "cluster.machine", machine);
  }
}

}  // namespace mimus::emulator
