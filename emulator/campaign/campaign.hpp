// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "base/units.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster.hpp"
#include "workloads/model_catalogue.hpp"
#include "workloads/workload_source.hpp"

namespace mimus::emulator {

/// The `cluster:` mapping. Links not given take the GPU type's datasheet values.
struct ClusterConfig {
  scheduler::ClusterShape shape;  ///< lanes_per_gpu is filled from the policy by the runner
  BytesPerSecond network{};       ///< one node's uplink, each direction
  BytesPerSecond rack_network{};  ///< between racks, per node; equals `network` when not given
  Duration network_latency{};     ///< one way, node to node
  BytesPerSecond storage{};       ///< checkpoint bandwidth per node
};

/// The `engine:` mapping.
struct EngineConfig {
  enum class Mode { live };
  enum class Pace { datasheet, none };  ///< paced to the stated GPU, or the cores are the device
  Mode mode = Mode::live;
  Pace pace = Pace::datasheet;
  std::string device = "cpu";      ///< cpu | cuda
  std::string collective = "mpi";  ///< mpi | nccl
  double time_scale = 1.0;         ///< emulated seconds per wall second
  Duration min_step_wall{};  ///< shorter steps are run several at a time (see docs/validity.md)
  double host_load = 0.4;    ///< share of the host's cores that paced work may use
  Duration stage_timeout{};  ///< wall time any wait may last
};

/// One cell of a campaign, ready to run: a single point of the sweep and one repetition.
struct Cell {
  std::string id;           ///< "<nnn>-<swept values>-<hash8>[-rK]", safe as a file name
  std::string label;        ///< swept values joined by " / ", "base" without a sweep
  std::string config_hash;  ///< of `config` and the repetition, 16 hex digits
  int repetition = 0;
  std::uint64_t seed = 0;  ///< hash(campaign seed, workload part, repetition)
  ConfigNode config;       ///< fully resolved: cluster, workload, policy, engine, record
  std::vector<std::pair<std::string, std::string>> swept;  ///< path, value
};

/// The typed parts of a cell's configuration. Policies are read later, when the throughput
/// estimate exists, but are checked here too.
struct CellConfig {
  ClusterConfig cluster;
  EngineConfig engine;
  std::unique_ptr<workloads::WorkloadSource> workload;
  ConfigNode policy;
  results::RecordLevel record = results::RecordLevel::full;
};

/// Reads and checks a cell's configuration. Throws ConfigError.
[[nodiscard]] CellConfig read_cell(const Cell& cell, const workloads::ModelCatalogue& models);

/// A campaign file after `base:` and overrides, with its cells in order.
struct Campaign {
  std::string name;
  std::string description;
  std::string path;
  std::uint64_t seed = 0;
  std::vector<Cell> cells;
  workloads::ModelCatalogue models;
};

/// `path=value`, as given on the command line.
struct Override {
  std::string path;
  std::string value;
};

/// Loads a campaign file: `base:` files are merged under it (relative to the file), overrides are
/// applied, the sweep is expanded and every cell is read once so that errors show before anything
/// runs. Throws ConfigError.
[[nodiscard]] Campaign load_campaign(const std::string& path,
                                     const std::vector<Override>& overrides);

}  // namespace mimus::emulator
