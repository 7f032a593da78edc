// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "base/text_file.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/presets.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {
namespace {

bool is_given(const ConfigNode& mapping, std::string_view key) {
  const ConfigNode* found = mapping.find(key);
  return found != nullptr && found->kind != ConfigNode::Kind::null;
}

void fill_in(ConfigNode& mapping, const std::string& key, const std::string& yaml) {
  if (mapping.kind != ConfigNode::Kind::mapping || is_given(mapping, key)) return;
  set_path(mapping, key, parse_value(yaml, mapping.where));
}

/// `text` is a registry's default. It is empty or "-" if leaving the key out has a meaning.
void fill_in_parameter(ConfigNode& mapping, const std::string& key, const std::string& text) {
  if (!text.empty() && text != "-") fill_in(mapping, key, text);
}

ConfigNode section_or_empty(const ConfigNode& document, std::string_view key) {
  return is_given(document, key) ? *document.find(key) : ConfigNode::mapping(document.where);
}

/// Fills in the keys of one section in the order of the key table, so that "= key" finds siblings.
ConfigNode resolved_section(const ConfigNode& document, const std::string& section) {
  ConfigNode out = section_or_empty(document, section);
  for (const ConfigKey& key : config_keys()) {
    if (!key.path.starts_with(section + ".")) continue;
    if (key.default_value.starts_with("= ")) {
      const ConfigNode* sibling = out.find(key.default_value.substr(2));
      if (sibling != nullptr && !is_given(out, key.name))
        set_path(out, key.name, ConfigNode(*sibling));
    } else {
      fill_in_parameter(out, key.name, key.default_value);
    }
  }
  return out;
}

ConfigNode resolved_engine(const ConfigNode& document) {
  ConfigNode engine = section_or_empty(document, "engine");
  const ConfigNode* device = engine.find("device");
  if (device != nullptr && device->scalar == "cuda") {
    fill_in(engine, "pace", "none");  // a real GPU sets its own pace
    fill_in(engine, "collective", "nccl");
  }
  ConfigNode with_device = ConfigNode::mapping(document.where);
  with_device.members.emplace_back("engine", std::move(engine));
  return resolved_section(with_device, "engine");
}

/// Turns `fifo` into `{name: fifo}`.
void name_choice(ConfigNode& policy, const std::string& seam, const ConfigNode& name) {
  ConfigNode mapping = ConfigNode::mapping(name.where);
  mapping.members.emplace_back("name", name);
  set_path(policy, seam, std::move(mapping));
}

/// The batch choice decides what a missing estimate means, so it stays missing.
bool has_fixed_default(const scheduler::PolicyDescription& choice) {
  return choice.is_default && choice.seam != "estimate";
}

void resolve_choice(ConfigNode& policy, const scheduler::PolicyDescription& choice) {
  ConfigNode* given = policy.find(choice.seam);
  if (!is_given(policy, choice.seam)) {
    if (!has_fixed_default(choice)) return;
    name_choice(policy, choice.seam, ConfigNode::text(choice.choice, policy.where));
  } else if (given->kind == ConfigNode::Kind::scalar && given->scalar == choice.choice) {
    name_choice(policy, choice.seam, ConfigNode(*given));
  }
  given = policy.find(choice.seam);
  const ConfigNode* name = given->find("name");
  if (name == nullptr || name->scalar != choice.choice) return;
  for (const auto& p : choice.parameters) fill_in_parameter(*given, p.name, p.default_value);
}

/// Includes the text of a file that a choice names. The text becomes part of the cell's id, and
/// results keep it.
void take_in_file(ConfigNode* choice, const std::string& key, const std::string& text_key,
                  const std::string& choice_path) {
  const ConfigNode* file = choice == nullptr ? nullptr : choice->find(key);
  if (file == nullptr || file->kind != ConfigNode::Kind::scalar || is_given(*choice, text_key)) {
    return;
  }
  const std::string key_path = choice_path + "." + key;
  const std::string path = workloads::expanded_path(workloads::named_path(*file, key_path));
  check_input_file(path, file->where, key_path);
  ConfigNode text = ConfigNode::text(read_text_file(path), file->where);
  text.quoted = true;
  set_path(*choice, text_key, std::move(text));
}

/// Includes planners in Python and histories of orders.
void take_in_files(ConfigNode& policy) {
  ConfigNode* planner = policy.find("planner");
  take_in_file(planner, "file", "source", "policy.planner");
  take_in_file(policy.find("order"), "history", "samples", "policy.order");
  if (planner == nullptr) return;
  take_in_file(planner->find("order"), "history", "samples", "policy.planner.order");
}

ConfigNode resolved_policy(const ConfigNode& document) {
  ConfigNode policy = scheduler::merge_preset(section_or_empty(document, "policy"));
  if (policy.kind != ConfigNode::Kind::mapping) return policy;
  // Every cell of a campaign needs it, and it never changes.
  static const std::vector<scheduler::PolicyDescription> choices = scheduler::describe_policies();
  for (const auto& choice : choices) {
    if (!scheduler::planner_decides(choice.seam, policy)) resolve_choice(policy, choice);
  }
  take_in_files(policy);
  return policy;
}

}  // namespace

ConfigNode resolved_cell(const ConfigNode& document) {
  ConfigNode out = ConfigNode::mapping(document.where);
  out.members.emplace_back("cluster", resolved_section(document, "cluster"));
  out.members.emplace_back("workload", section_or_empty(document, "workload"));
  out.members.emplace_back("policy", resolved_policy(document));
  out.members.emplace_back("engine", resolved_engine(document));
  out.members.emplace_back("record", is_given(document, "record")
                                         ? *document.find("record")
                                         : ConfigNode::text("full", document.where));
  return out;
}

}  // namespace mimus::emulator
