// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "base/yaml_reader.hpp"
#include "emulator/campaign/resources.hpp"
#include "emulator/cell_config.hpp"
#include "emulator/learning_truth.hpp"
#include "results/recorder.hpp"
#include "results/totals/measured_window.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::scheduler {
struct Policy;
}  // namespace mimus::scheduler

namespace mimus::emulator {

struct CellConfig;

/// A published figure for what a cell emulates.
struct PublishedFigure {
  std::string figure;  ///< a name of results::metrics()
  double value = 0.0;  ///< in the unit of that figure
  std::string source;
};

/// One cell of a campaign, ready to run: a single point of the sweep and one repetition.
struct Cell {
  std::string id;           ///< "<nnn>-<swept values>-<hash8>[-rK]", safe as a file name
  std::string label;        ///< swept values joined by " / ", "base" without a sweep
  std::string config_hash;  ///< of `config` and the repetition, 16 hex digits
  int repetition = 0;
  std::uint64_t seed = 0;  ///< of all draws, see cell_seed()
  ConfigNode config;       ///< cluster, workload, policy, engine, record, with defaults filled in
  std::vector<std::pair<std::string, std::string>> swept;  ///< path, value
  std::vector<PublishedFigure> published;                  ///< compared with its figures in reports
  std::shared_ptr<const CellConfig> settings;  ///< `config` as values: read once, for everybody
};

/// The typed parts of a cell's configuration.
struct CellConfig {
  ClusterConfig cluster;
  EngineConfig engine;
  std::unique_ptr<workloads::WorkloadSource> workload;
  ConfigNode policy;  ///< a run builds its own from it, with a throughput estimate
  /// The same before any step time is known, for checks and for the size of the world.
  std::shared_ptr<const scheduler::Policy> row;
  LearningTruth learning;
  double gradient_noise = 0.0;      ///< see GradientNoise
  std::optional<int> jobs_at_once;  ///< of a closed loop of arrivals
  std::optional<Duration> checkpoint_every;
  bool records_allocation = false;  ///< as jobs request more and more of the cluster
  results::RecordLevel record = results::RecordLevel::full;
};

/// Reads and checks one section of a resolved configuration. Throws ConfigError.
[[nodiscard]] ClusterConfig read_cluster(const ConfigNode& cell);
[[nodiscard]] EngineConfig read_engine(const ConfigNode& cell);

/// Reads and checks a cell's configuration. Throws ConfigError.
[[nodiscard]] CellConfig read_cell(const Cell& cell, const workloads::ModelCatalogue& models);

/// The needs of a cell, computed before anything runs.
struct CellFacts {
  EngineConfig::Kind kind = EngineConfig::Kind::live;
  std::optional<std::int64_t> jobs;  ///< if known before the end
  int lanes_per_gpu = 1;             ///< maximum tenants per GPU; live: of these jobs
  int workers = 0;                   ///< live: one per lane of every GPU
  /// For live cells. A rough estimate: solo step times at the requested gangs and batches, GPUs
  /// never idle while work is left, no solo baselines. Policies that change gangs or batches change
  /// it in either direction.
  Duration wall_estimate{};
  std::string input_hash;          ///< of the trace or the generator, see Workload::source_hash
  std::vector<std::string> notes;  ///< keys without effect, and what the import changed
};

/// Generates the workload of a cell and checks the parts against each other: models known and
/// fitting the GPU's memory, gangs no larger than the cluster. Throws ConfigError.
[[nodiscard]] CellFacts inspect_cell(const Cell& cell, const CellConfig& config,
                                     const workloads::ModelCatalogue& models);

/// A campaign file after `base:` and overrides, with its cells in order.
struct Campaign {
  std::string name;
  std::string description;
  std::string path;
  std::uint64_t seed = 0;
  std::vector<Cell> cells;
  workloads::ModelCatalogue models;
  std::vector<std::string> model_files;  ///< that were added to them, in order
  Resources resources;
  results::MeasuredWindow measure;
  std::vector<CellFacts> facts;  ///< facts[i] belongs to cells[i]

  /// Size of the MPI world that fits every live cell: rank 0 and, for every GPU of the largest
  /// cluster, as many lanes as any cell may put tenants on a GPU.
  [[nodiscard]] int world_size() const;
  [[nodiscard]] bool any_live() const;
};

/// `path=value`, as given on the command line.
struct Override {
  std::string path;
  std::string value;
};

/// Number of the first of a document's repetitions. Throws ConfigError.
[[nodiscard]] int first_repetition(YamlReader& root);

/// Loads a campaign file: `base:` files are merged under it (relative to the file), overrides are
/// applied, the sweep is expanded and every cell is read once so that errors show before anything
/// runs. Throws ConfigError.
[[nodiscard]] Campaign load_campaign(const std::string& path,
                                     const std::vector<Override>& overrides);

}  // namespace mimus::emulator
