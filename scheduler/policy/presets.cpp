// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/presets.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/policy_rows.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_policies();
}  // namespace mimus::embedded

namespace mimus::scheduler {
namespace {

/// Reads the comment at the head of a file. Its first line is the summary, and the others are
/// notes. A line that tells editors which schema the file follows is skipped.
void read_header(const std::string& text, Preset& preset) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    if (line.starts_with("# yaml-language-server:")) continue;
    std::string content = line.substr(std::min(line.size(), line.find_first_not_of("# ")));
    if (preset.summary.empty()) {
      preset.summary = std::move(content);
    } else {
      preset.notes += content + "\n";
    }
  }
}

Preset read_preset(const std::string& file, const std::string& text) {
  Preset preset;
  preset.name = file.substr(0, file.rfind('.'));
  read_header(text, preset);
  const ConfigNode document = parse_embedded_yaml(text, "configs/policies/" + file);
  const ConfigNode* row = document.find("policy");
  ensure(row != nullptr && row->kind == ConfigNode::Kind::mapping,
         "a built-in policy file has no policy mapping");
  preset.row = *row;
  return preset;
}

std::vector<Preset> read_presets() {
  std::vector<Preset> out;
  for (const auto& [file, text] : embedded::embedded_policies()) {
    out.push_back(read_preset(std::string(file), std::string(text)));
  }
  std::sort(out.begin(), out.end(),
            [](const Preset& a, const Preset& b) { return a.name < b.name; });
  return out;
}

const Preset* find_preset(const std::string& name) {
  const auto& all = presets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The name may be the beginning of several presets (sjf-true, sjf-user) or a choice (order: sjf).
std::string unknown_preset_message(const std::string& name) {
  std::vector<std::string> meant;
  for (const std::string& preset : preset_names()) {
    if (preset.starts_with(name + "-")) meant.push_back(preset);
  }
  for (const PolicyDescription& line : describe_policies()) {
    if (line.choice == name) meant.push_back(fmt::format("{{{}: {}}}", line.seam, name));
  }
  if (meant.empty()) return unknown_name_message("preset", name, preset_names());
  return fmt::format("unknown preset \"{}\"; did you mean one of {}? allowed: {}", name,
                     fmt::join(meant, ", "), fmt::join(preset_names(), ", "));
}

ConfigNode named(const ConfigNode& choice) {
  if (choice.kind != ConfigNode::Kind::scalar) return choice;
  ConfigNode mapping = ConfigNode::mapping(choice.where);
  mapping.members.emplace_back("name", choice);
  return mapping;
}

/// Replaces the preset's choice of a seam by `given`, or merges `given` into it if it has no name.
void override_seam(ConfigNode& row, const std::string& seam, const ConfigNode& given) {
  ConfigNode* own = row.find(seam);
  if (own == nullptr) {
    row.members.emplace_back(seam, given);
  } else if (given.kind == ConfigNode::Kind::mapping && given.find("name") == nullptr) {
    *own = merged(named(*own), given);
  } else if (given.kind != ConfigNode::Kind::null) {
    *own = given;
  }
}

/// The name of the planner of a `policy:` mapping, "" when only parameters of a preset's planner
/// are given; nothing when jobs start from a queue.
std::optional<std::string> planner_of(const ConfigNode& policy) {
  const ConfigNode* planner = policy.find("planner");
  if (planner == nullptr || planner->kind == ConfigNode::Kind::null) return std::nullopt;
  const ConfigNode choice = named(*planner);
  const ConfigNode* name = choice.find("name");
  if (name == nullptr) return "";
  return name->scalar == kDefaultPlanner ? std::nullopt : std::optional(name->scalar);
}

/// A planner with a required parameter has no default to ask; none of them promises anything.
std::set<std::string> planners_that(bool (Planner::*promise)() const) {
  const auto planners = planner_choices({});
  std::set<std::string> names;
  for (const auto& choice : planners.choices()) {
    if (std::ranges::any_of(choice.parameters, &ParameterInfo::is_required)) continue;
    const auto made = planners.make_default(choice.name);
    if (made != nullptr && (*made.*promise)()) names.insert(choice.name);
  }
  return names;
}

/// Whether its planner lets several jobs hold a GPU: then its targets name GPUs.
bool has_residents(const ConfigNode& policy) {
  const ConfigNode* planner = policy.find("planner");
  const ConfigNode* residents = planner == nullptr ? nullptr : planner->find("residents");
  return residents != nullptr && residents->scalar != "1";
}

/// A row with a planner has no choice of the seams that it decides. A row with an order has no
/// planner.
bool is_replaced(const std::string& seam, const ConfigNode& given) {
  if (seam == "planner") return given.find("order") != nullptr && !planner_of(given);
  return planner_decides(seam, given);
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = read_presets();
  return all;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

ConfigNode preset(const std::string& name) {
  if (const Preset* found = find_preset(name)) return found->row;
  throw UsageError(unknown_preset_message(name));
}

bool planner_decides(const std::string& seam, const ConfigNode& policy) {
  static const std::set<std::string> kNameGpus = planners_that(&Planner::names_gpus);
  static const std::set<std::string> kKeepBatches = planners_that(&Planner::keeps_batches);
  const auto planner = planner_of(policy);
  if (!planner) return false;
  if (seam == "order" || seam == "preemption") return true;
  if (seam == "batch") return kKeepBatches.contains(*planner) || has_residents(policy);
  return seam == "placement" && (kNameGpus.contains(*planner) || has_residents(policy));
}

ConfigNode merge_preset(ConfigNode policy) {
  if (policy.kind == ConfigNode::Kind::scalar) {
    ConfigNode mapping = ConfigNode::mapping(policy.where);
    mapping.members.emplace_back("preset", std::move(policy));
    return merge_preset(std::move(mapping));
  }
  const ConfigNode* name = policy.find("preset");
  if (name == nullptr || name->kind != ConfigNode::Kind::scalar) return policy;
  const Preset* found = find_preset(name->scalar);
  if (found == nullptr) {
    throw ConfigError(name->where, "policy.preset", unknown_preset_message(name->scalar));
  }
  ConfigNode row = ConfigNode::mapping(policy.where);
  row.members.emplace_back("preset", *name);
  for (const auto& [seam, choice] : found->row.members) {
    if (!is_replaced(seam, policy)) row.members.emplace_back(seam, choice);
  }
  for (const auto& [key, given] : policy.members) {
    if (key != "preset") override_seam(row, key, given);
  }
  return row;
}

}  // namespace mimus::scheduler
