// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_machines.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

const ConfigNode* named(const std::vector<ConfigNode>& machines, const ConfigNode& name) {
  const ConfigNode* found = nullptr;
  for (const ConfigNode& machine : machines) {
    if (machine.find("name")->scalar == name.scalar) found = &machine;
  }
  return found;
}

/// The checked entries of one file.
std::vector<ConfigNode> machines_in(const std::string& file) {
  const ConfigNode document = load_yaml_file(file);
  (void)kernels::read_gpu_table(document);
  return document.find("gpus")->items;
}

std::vector<std::string> names_of(const std::vector<ConfigNode>& machines) {
  std::vector<std::string> names;
  for (const ConfigNode& machine : machines) names.push_back(machine.find("name")->scalar);
  return names;
}

bool is_yaml(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

/// The file of a machine type, and the type in it or nothing.
struct MachineInFile {
  std::string file;
  std::string type;
};

std::optional<MachineInFile> machine_in_file(const std::string& text) {
  if (is_yaml(text)) return MachineInFile{text, ""};
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || !is_yaml(std::string_view(text).substr(0, colon))) return {};
  return MachineInFile{text.substr(0, colon), text.substr(colon + 1)};
}

/// The same for each entry of `cluster.groups`.
void describe_groups(ConfigNode& document, const std::vector<ConfigNode>& machines) {
  ConfigNode* cluster = document.find("cluster");
  ConfigNode* groups = cluster == nullptr ? nullptr : cluster->find("groups");
  if (groups == nullptr) return;
  for (ConfigNode& group : groups->items) {
    const ConfigNode* gpu = group.find("gpu");
    if (gpu == nullptr || group.find("machine") != nullptr) continue;
    if (const ConfigNode* own = named(machines, *gpu)) {
      group.members.emplace_back("machine", *own);
    }
  }
}

}  // namespace

std::vector<ConfigNode> own_machines(YamlReader& root) {
  std::vector<ConfigNode> machines;
  for (const std::string& file : listed_files(root, "gpus")) {
    for (ConfigNode& entry : machines_in(file)) machines.push_back(std::move(entry));
  }
  return machines;
}

ConfigNode machine_named(const std::string& text, const std::string& option) {
  const auto own = machine_in_file(text);
  if (!own) return ConfigNode::text(text, {option, 0, 0});
  check_input_file(own->file, {option, 0, 0}, "");
  const auto machines = machines_in(own->file);
  if (own->type.empty() && machines.size() == 1) return machines.front();
  const auto names = names_of(machines);
  if (own->type.empty()) {
    throw UsageError(fmt::format("{} {}: the file has {} machine types; say which, as {}:{}",
                                 option, own->file, names.size(), own->file,
                                 names.empty() ? "TYPE" : names.front()));
  }
  if (const ConfigNode* found = named(machines, ConfigNode::text(own->type))) return *found;
  throw UsageError(fmt::format("{} {}: {}", option, own->file,
                               unknown_name_message("machine type", own->type, names)));
}

void describe_machines(ConfigNode& document, const std::vector<ConfigNode>& machines) {
  const ConfigNode* gpu = find_path(document, "cluster.gpu");
  const bool described = find_path(document, "cluster.machine") != nullptr;
  if (gpu != nullptr && !described) {
    if (const ConfigNode* own = named(machines, *gpu)) set_path(document, "cluster.machine", *own);
  }
  describe_groups(document, machines);
  const ConfigNode* durations = find_path(document, "workload.duration_on");
  if (durations == nullptr) return;
  if (const ConfigNode* own = named(machines, *durations)) {
    set_path(document, "workload.duration_on", *own);
  }
}

}  // namespace mimus::emulator
