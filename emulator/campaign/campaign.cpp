// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/campaign/cell_id.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "emulator/campaign/engine_inputs.hpp"
#include "emulator/campaign/file_keys.hpp"
#include "emulator/campaign/idle_keys.hpp"
#include "emulator/campaign/measure.hpp"
#include "emulator/campaign/published.hpp"
#include "emulator/campaign/repetition_check.hpp"
#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator {
namespace {

/// Data that the cells of one campaign share.
struct Expansion {
  const ConfigNode& document;
  int first_repetition = 0;
  int repetitions_end = 1;
  std::vector<std::string> model_hashes;  ///< hashes of the models that the campaign adds
  std::vector<ConfigNode> machines;       ///< machine types that the campaign adds
  std::vector<Published> published;
};

ConfigNode configured(const Expansion& expansion, const SweepPoint& point) {
  ConfigNode out = expansion.document;
  for (const auto& [path, value] : point.values) set_key(out, path, value);
  describe_machines(out, expansion.machines);
  return resolved_cell(out);
}

void add_cell(Campaign& campaign, const Expansion& expansion, const SweepPoint& point,
              const std::string& label, int repetition) {
  Cell cell;
  cell.config = configured(expansion, point);
  cell.repetition = repetition;
  cell.label = label;
  cell.seed = cell_seed(campaign.seed, *cell.config.find("workload"), repetition);
  for (const auto& [path, value] : point.values) cell.swept.emplace_back(path, value_text(value));
  cell.published = published_of(point, expansion.published);
  const auto settings = std::make_shared<CellConfig>(read_cell(cell, campaign.models));
  cell.settings = settings;
  CellFacts facts = inspect_cell(cell, *settings, campaign.models);
  settings->cluster.shape.lanes_per_gpu = facts.lanes_per_gpu;
  std::vector<std::string> inputs = expansion.model_hashes;
  inputs.push_back(facts.input_hash);
  std::ranges::copy(engine_input_hashes(cell.settings->engine), std::back_inserter(inputs));
  cell.config_hash = content_hash({cell.config, cell.seed, repetition, std::move(inputs)});
  cell.id = cell_id(point.number, label_of(point, "-"), cell.config_hash, repetition,
                    expansion.repetitions_end);
  campaign.cells.push_back(std::move(cell));
  campaign.facts.push_back(std::move(facts));
}

void check_distinct(const Campaign& campaign, const ConfigNode& document) {
  std::map<std::string, const Cell*> seen;
  for (const Cell& cell : campaign.cells) {
    const auto [first, is_new] = seen.emplace(cell.config_hash, &cell);
    if (is_new) continue;
    throw ConfigError(document.find("sweep")->where, "sweep",
                      fmt::format("cells {} and {} have the same configuration once defaults are "
                                  "filled in; drop one value",
                                  first->second->id, cell.id));
  }
}

void check_resources(const Campaign& campaign, const ConfigNode& document) {
  const Resources& given = campaign.resources;
  const ConfigNode* section = document.find("resources");
  if (section == nullptr || given.ranks_per_node == 0) return;
  const std::int64_t ranks = std::int64_t{given.nodes} * given.ranks_per_node;
  if (ranks >= campaign.world_size()) return;
  throw ConfigError(
      section->where, "resources",
      fmt::format("{} nodes x {} ranks are {}, but the largest cell needs a world of "
                  "{}: one rank per lane of every emulated GPU and one that schedules",
                  given.nodes, given.ranks_per_node, ranks, campaign.world_size()));
}

/// A batch job is asked to stop `signal_before` its limit. Slurm may do so up to a minute earlier.
void add_walltime_notes(Campaign& campaign) {
  const Resources& given = campaign.resources;
  if (given.walltime == Duration{}) return;
  const Duration usable = given.walltime - given.signal_before - std::chrono::minutes{1};
  for (CellFacts& cell : campaign.facts) {
    if (usable > Duration{} && cell.wall_estimate <= usable) continue;
    cell.notes.push_back(
        fmt::format("about {} of wall time, but resources.walltime is {}, of which {} have passed "
                    "when the job is asked to stop (resources.signal_before and up to a minute "
                    "sooner); raise it or engine.time_scale, or run fewer jobs",
                    format_duration(cell.wall_estimate), format_duration(given.walltime),
                    format_duration(std::max(usable, Duration{}))));
  }
}

FileKeys read_head(Campaign& campaign, YamlReader& root) {
  FileKeys keys = read_fields(file_fields(), root);
  campaign.name = keys.name;
  campaign.description = keys.description;
  campaign.seed = static_cast<std::uint64_t>(keys.seed);
  campaign.model_files = keys.model_files;
  campaign.resources = read_resources(root);
  campaign.measure = read_measure(root);
  // These are read per cell. They are named here so that they count as known.
  for (const char* key : {"cluster", "workload", "policy", "engine", "sweep", "published"}) {
    (void)root.has(key);
  }
  root.finish();
  return keys;
}

}  // namespace

int Campaign::world_size() const {
  int gpus = 0;
  int lanes = 1;
  for (const CellFacts& cell : facts) {
    if (cell.kind != EngineConfig::Kind::live) continue;
    gpus = std::max(gpus, cell.workers / cell.lanes_per_gpu);
    lanes = std::max(lanes, cell.lanes_per_gpu);
  }
  return gpus * lanes + 1;
}

bool Campaign::any_live() const {
  return std::any_of(facts.begin(), facts.end(),
                     [](const CellFacts& cell) { return cell.kind == EngineConfig::Kind::live; });
}

int first_repetition(YamlReader& root) {
  return first_repetition_key().read(root);
}

Campaign load_campaign(const std::string& path, const std::vector<Override>& overrides) {
  const ConfigNode document = load_document(path, overrides);
  YamlReader root(document, "");
  Campaign campaign;
  campaign.path = path;
  const FileKeys keys = read_head(campaign, root);
  campaign.models = workloads::ModelCatalogue::built_in();
  const auto model_hashes = add_models(campaign.model_files, campaign.models);
  const int first = keys.first_repetition;
  // Without overrides: a value that one of them replaces has its published figures all the same.
  const auto published = read_published(root, read_sweep(document.find("sweep"), {}));
  const Expansion expansion{document,     first,         first + keys.repetitions,
                            model_hashes, keys.machines, published};
  const auto points = expand(read_sweep(document.find("sweep"), overrides));
  const auto labels = labels_of(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = expansion.first_repetition; k < expansion.repetitions_end; ++k) {
      add_cell(campaign, expansion, points[i], labels[i], k);
    }
  }
  check_distinct(campaign, document);
  check_resources(campaign, document);
  check_measure(campaign, document);
  add_walltime_notes(campaign);
  add_idle_key_notes(campaign);
  add_repetition_notes(campaign);
  return campaign;
}

}  // namespace mimus::emulator
