// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/cli/verbs.hpp"
#include "workloads/jobs/workload_source.hpp"

namespace mimus::emulator::cli {

/// The source of the jobs of a `mimus workload` verb.
struct WorkloadArguments {
  std::string input = {};   ///< campaign file, or file or folder of a trace
  std::string format = {};  ///< of the trace; guessed when empty
  std::string source = {};  ///< instead of an input
  std::vector<std::string> settings = {};
  std::string cell = {};
  std::optional<int> gpus = {};
  std::string gpu = {};  ///< machine type without a campaign; "" for published rates
  std::optional<std::int64_t> seed = {};
  std::vector<std::string> models = {};  ///< files and folders of them, beside the built-in ones
};

/// --set, --gpus, --gpu, --seed and --models.
void add_source_options(CLI::App& verb, WorkloadArguments& arguments);
/// INPUT, --format, --source and --cell as well.
void add_workload_options(CLI::App& verb, WorkloadArguments& arguments);

/// A workload that was found: its source and the inputs that the source needs.
struct WorkloadInput {
  std::string description;  ///< "philly trace jobs.csv, format by its header"
  workloads::ModelCatalogue models;
  std::unique_ptr<workloads::WorkloadSource> source;
  std::uint64_t seed = 0;
  int cluster_gpus = 0;     ///< gangs above it are refused or left out
  std::optional<int> gpus;  ///< the load is relative to these
  /// Run times of the jobs, by these models.
  std::function<workloads::RunTimes(const workloads::ModelCatalogue&)> make_run_times;

  [[nodiscard]] workloads::RunTimes run_times() const { return make_run_times(models); }
  [[nodiscard]] workloads::WorkloadContext context() const {
    return {models, seed, cluster_gpus, run_times()};
  }
  [[nodiscard]] std::unique_ptr<workloads::JobStream> open() const {
    return source->open(context());
  }
};

/// Throws UsageError when the arguments do not name one workload, and ConfigError when it cannot be
/// read.
[[nodiscard]] WorkloadInput find_workload(const WorkloadArguments& arguments);

}  // namespace mimus::emulator::cli
