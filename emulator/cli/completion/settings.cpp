// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/completion/settings.hpp"

#include <algorithm>

#include "emulator/campaign/config_keys.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/presets.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

void add_new(std::vector<Candidate>& words, const std::string& word, const std::string& summary) {
  const auto same = [&](const Candidate& other) { return other.word == word; };
  if (std::none_of(words.begin(), words.end(), same)) words.push_back({word, summary});
}

std::vector<Candidate> paths() {
  std::vector<Candidate> words;
  for (const ConfigKey& key : config_keys()) {
    const bool only_in_files = key.path == "schema" || key.path == "base";
    if (!only_in_files) words.push_back({key.path, key.summary});
  }
  words.push_back({"policy", "a preset, or a choice for each seam"});
  for (const auto& line : scheduler::describe_policies()) {
    add_new(words, "policy." + line.seam, "choice of this seam");
  }
  for (const auto& source : workloads::workload_sources().choices()) {
    for (const ParameterInfo& p : source.parameters)
      add_new(words, "workload." + p.name, p.summary);
  }
  words.push_back({"workload.source", "a generator or a trace format"});
  return words;
}

std::vector<Candidate> policy_values(const std::string& path) {
  std::vector<Candidate> words;
  for (const auto& preset : scheduler::presets()) {
    if (path == "policy") words.push_back({preset.name, preset.summary});
  }
  for (const auto& line : scheduler::describe_policies()) {
    if (path == "policy." + line.seam) words.push_back({line.choice, line.summary});
  }
  return words;
}

std::vector<Candidate> listed_values(const ParameterInfo& key) {
  if (key.spec.form != ValueSpec::Form::single) return {};
  if (key.spec.type == ValueSpec::Type::boolean) return {{"true"}, {"false"}};
  std::vector<Candidate> words;
  for (const std::string& word : key.spec.words) words.push_back({word});
  return words;
}

std::vector<Candidate> values_of(const std::string& path) {
  if (path.starts_with("policy")) return policy_values(path);
  for (const ConfigKey& key : config_keys()) {
    if (key.path == path) return listed_values(key);
  }
  std::vector<Candidate> words;
  for (const auto& source : workloads::workload_sources().choices()) {
    if (path == "workload.source") words.push_back({source.name, source.summary});
    for (const ParameterInfo& p : source.parameters) {
      if (path != "workload." + p.name) continue;
      for (const Candidate& value : listed_values(p)) {
        add_new(words, value.word, value.summary);
      }
    }
  }
  return words;
}

}  // namespace

Candidates setting_candidates(const std::string& text) {
  Candidates found;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    found.words = paths();
    for (Candidate& candidate : found.words) candidate.word += "=";
    found.goes_on = true;
    return found;
  }
  const std::string path = text.substr(0, equals);
  found.words = values_of(path);
  for (Candidate& candidate : found.words) candidate.word = path + "=" + candidate.word;
  return found;
}

}  // namespace mimus::emulator::cli
