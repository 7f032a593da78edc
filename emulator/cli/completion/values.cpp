// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/completion/values.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/schema/json_schema.hpp"
#include "emulator/cli/completion/settings.hpp"
#include "emulator/cli/workload/workload_format.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "results/campaign/campaign_file.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/presets.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/models/model_catalogue.hpp"
#include "workloads/traces/public_traces.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

namespace fs = std::filesystem;

/// Cells of the campaign or of the result files that are named on the command line.
std::vector<Candidate> cells(const std::vector<std::string>& arguments) {
  std::vector<Candidate> words;
  for (const std::string& argument : arguments) {
    if (fs::is_directory(argument)) {
      for (const auto& entry : fs::directory_iterator(argument)) {
        const fs::path file = entry.path();
        const bool merged = file.filename() == results::kCampaignFileName;
        if (file.extension() == ".h5" && !merged) words.push_back({file.stem().string()});
      }
    } else if (argument.ends_with(".yaml") || argument.ends_with(".yml")) {
      for (const Cell& cell : load_campaign(argument, {}).cells) {
        words.push_back({cell.id, cell.label});
      }
    }
  }
  std::sort(words.begin(), words.end(),
            [](const Candidate& a, const Candidate& b) { return a.word < b.word; });
  return words;
}

std::vector<Candidate> models() {
  std::vector<Candidate> words;
  for (const std::string& name : workloads::ModelCatalogue::built_in().names()) {
    words.push_back({name});
  }
  return words;
}

std::vector<Candidate> gpus() {
  std::vector<Candidate> words;
  for (const std::string& name : kernels::gpu_names()) words.push_back({name});
  return words;
}

std::vector<Candidate> seams_and_presets() {
  std::vector<Candidate> words{{"preset", "all presets"}};
  std::set<std::string> seams;
  for (const auto& line : scheduler::describe_policies()) {
    if (seams.insert(line.seam).second) words.push_back({line.seam, "a seam"});
  }
  for (const auto& preset : scheduler::presets()) words.push_back({preset.name, preset.summary});
  return words;
}

std::vector<Candidate> generators() {
  std::vector<Candidate> words;
  for (const auto& source : workloads::generator_sources()) {
    words.push_back({source.name, source.summary});
  }
  return words;
}

std::vector<Candidate> sources() {
  std::vector<Candidate> words;
  for (const auto& source : workloads::workload_sources().choices()) {
    words.push_back({source.name, source.summary});
  }
  return words;
}

std::vector<Candidate> public_traces() {
  std::vector<Candidate> words;
  for (const auto& trace : workloads::public_traces()) words.push_back({trace.name, trace.title});
  return words;
}

std::vector<Candidate> formats() {
  std::vector<Candidate> words;
  for (const std::string& name : trace_formats()) words.push_back({name});
  return words;
}

std::vector<Candidate> kinds() {
  std::vector<Candidate> words;
  for (const SchemaKind& kind : schema_kinds()) words.push_back({kind.name, kind.summary});
  words.push_back({"metrics", "every figure of a summary"});
  return words;
}

/// Splits a set of values as CLI11 describes it: "TEXT:{csv,jobs}".
std::vector<Candidate> set_values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  std::vector<Candidate> words;
  if (open == std::string::npos || close == std::string::npos) return words;
  for (const std::string& word : CLI::detail::split(type.substr(open + 1, close - open - 1), ',')) {
    words.push_back({word});
  }
  return words;
}

/// The name of the value in the help text: CELL of `--only CELL`, PATH of an argument.
std::string value_name(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_option_text();
}

Candidates named(std::vector<Candidate> words) {
  return {std::move(words), Candidates::Paths::none, false};
}

using Provider = std::function<Candidates(const ValuePlace&)>;

const std::map<std::string, Provider>& by_value_name() {
  static const std::map<std::string, Provider> providers{
      {"CELL", [](const ValuePlace& p) { return named(cells(p.arguments)); }},
      {"MODEL",
       [](const ValuePlace&) {
         return Candidates{models(), Candidates::Paths::files};
       }},
      {"GENERATOR", [](const ValuePlace&) { return named(generators()); }},
      {"KIND", [](const ValuePlace&) { return named(kinds()); }},
      {"TRACE", [](const ValuePlace&) { return named(public_traces()); }},
      {"WHAT", [](const ValuePlace&) { return named({{"engine"}}); }},
      {"PATH=VALUE", [](const ValuePlace& p) { return setting_candidates(p.text); }},
      {"DIR",
       [](const ValuePlace&) {
         return Candidates{{}, Candidates::Paths::folders};
       }},
  };
  return providers;
}

/// For values whose name in the help text is not specific enough.
const std::map<std::string, Provider>& by_name() {
  static const std::map<std::string, Provider> providers{
      {"--engine NAME",
       [](const ValuePlace&) {
         return named({{"live"}, {"virtual"}});
       }},
      {"--format NAME", [](const ValuePlace&) { return named(formats()); }},
      {"--format NAMES",
       [](const ValuePlace&) {
         return named({{"png"}, {"pdf"}, {"svg"}});
       }},
      {"--to FORMAT",
       [](const ValuePlace&) {
         return named({{"perfetto"}, {"csv"}, {"parquet"}, {"swf"}, {"batsim"}});
       }},
      {"--gpu NAME", [](const ValuePlace&) { return named(gpus()); }},
      {"--gpu TYPE",
       [](const ValuePlace&) {
         Candidates types = named(gpus());
         types.paths = Candidates::Paths::files;
         return types;
       }},
      {"--models NAMES", [](const ValuePlace&) { return named(models()); }},
      {"--source NAME", [](const ValuePlace&) { return named(sources()); }},
      {"new KIND",
       [](const ValuePlace&) {
         return named({{"campaign"}, {"policy"}, {"model"}, {"planner"}});
       }},
      {"policies NAME", [](const ValuePlace&) { return named(seams_and_presets()); }},
  };
  return providers;
}

bool holds_path(const std::string& value_name) {
  static const std::set<std::string> paths{"CAMPAIGN", "PATH", "FILE", "INPUT"};
  return paths.contains(value_name);
}

}  // namespace

Candidates option_values(const ValuePlace& place) {
  if (auto words = set_values(place.option); !words.empty()) return named(std::move(words));
  const std::string shown = value_name(place.option);
  const std::string name =
      (place.option.get_positional() ? place.verb.get_name() : place.option.get_name()) + " " +
      shown;
  const auto own = by_name().find(name);
  if (own != by_name().end()) return own->second(place);
  const auto general = by_value_name().find(shown);
  if (general != by_value_name().end()) return general->second(place);
  return {{}, holds_path(shown) ? Candidates::Paths::files : Candidates::Paths::none};
}

}  // namespace mimus::emulator::cli
