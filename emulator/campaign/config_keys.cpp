// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/config_keys.hpp"

#include "emulator/campaign/cluster_keys.hpp"
#include "emulator/campaign/resources.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

namespace {

std::vector<ParameterInfo> file_keys() {
  return {
      {"schema", "integer", "", "1", "version of this file format"},
      {"name", "text", "", "letters, digits, . _ -", "names the result folder"},
      {"description", "text", "-", "", "for readers; changes nothing"},
      {"base", "path or list", "-", "", "campaign files merged under this one, relative to it"},
      {"models", "list of paths", "-", "",
       "extra model files, or folders of them, relative to this file"},
      {"gpus", "list of paths", "-", "", "files of machine types, relative to this file"},
      {"seed", "integer", "0", ">= 0",
       "of everything random: the same for all cells of a repetition"},
      {"repetitions", "integer", "1", "1 to 1000", "seeded runs of every cell"},
      {"first_repetition", "integer", "0", "0 to 1000000",
       "number of the first of them; seeds follow the numbers"},
      {"record", "text", "full", "full, jobs, summary",
       "what the result file keeps: everything; a row per job and attempt; sums and quantiles"},
  };
}

std::vector<ParameterInfo> workload_keys() {
  return {
      {"seed", "integer", "-", ">= 0",
       "of what this workload draws, for any source; by default the campaign's"},
      {"duration_on", "machine type", "-", "as cluster.gpu",
       "the type, with usual nodes, on which stated run times of models hold; by default the "
       "cluster"},
  };
}

std::vector<ParameterInfo> measure_keys() {
  return {
      {"jobs", "text", "-", "FIRST..END, FIRST.. or ..END",
       "figures are of these jobs only, counted from 0 by arrival; the end is not measured"},
      {"from", "duration", "-", ">= 0 s",
       "figures are of the jobs that arrive from here on, and of the GPU time from here on"},
      {"until", "duration", "-", "> 0 s", "and until here"},
  };
}

void add_section(std::vector<ConfigKey>& keys, const std::string& section,
                 const std::vector<ParameterInfo>& more) {
  for (const ParameterInfo& key : more) keys.push_back({key, section + key.name});
}

}  // namespace

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    add_section(all, "", file_keys());
    add_section(all, "cluster.", parameters_of(cluster_fields()));
    add_section(all, "workload.", workload_keys());
    for (const EngineKey& key : engine_keys()) {
      all.push_back({key.key.info, "engine." + key.key.info.name, key.reader});
    }
    add_section(all, "measure.", measure_keys());
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
