// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"
#include "emulator/campaign/campaign.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {

/// A folder of its own that goes away with it.
class CampaignFolder {
 public:
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    folder_.write(name, text);
    return folder_.file(name);
  }

 private:
  TemporaryFolder folder_;
};

/// A cell with nothing but a configuration.
inline Cell cell_of(ConfigNode config) {
  Cell cell;
  cell.config = std::move(config);
  return cell;
}

/// What is found out about it before anything runs.
inline CellFacts inspected(const Cell& cell, const workloads::ModelCatalogue& models) {
  return inspect_cell(cell, read_cell(cell, models), models);
}

/// The message of the ConfigError that `action` throws, "no error" without one.
inline std::string config_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

/// The message of the error of any kind that `action` throws.
inline std::string error_message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A campaign of one cell: 8 GPUs, one job of one GPU.
inline const std::string kOneCell = R"(
schema: 1
name: one
seed: 7
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload:
  source: jobs
  jobs: [{model: resnet18, samples: 100000}]
)";

}  // namespace mimus::emulator::test
