// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/units.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::emulator {

/// Where the scheduling rank of a heterogeneous job runs, apart from the workers.
struct SchedulerHost {
  std::string partition;
  std::string constraint;
};

/// What to ask of the batch system for hosts with GPUs of one type. Texts are "" if not given.
struct HostsOfType {
  std::string gres;  ///< the type's name there; "": GPUs of any type
  std::string partition;
  std::string constraint;
};

/// The `resources:` mapping: what the batch system provides, as opposed to what is emulated. Texts
/// are "" if not given.
struct Resources {
  int nodes = 1;
  int ranks_per_node = 0;  ///< 0 when not given: nothing is checked
  Duration walltime{};     ///< zero when not given
  std::string partition;
  std::string account;
  std::string qos;
  std::string constraint;
  std::string reservation;
  int gpus_per_node = 0;
  int cpus_per_task = 1;
  Bytes memory_per_node{};        ///< zero when not given
  std::optional<bool> exclusive;  ///< live cells: yes, virtual ones: no, unless given
  Duration signal_before =
      std::chrono::seconds{120};     ///< how long before the limit the job is asked to stop
  std::string launcher;              ///< srun, mpirun or ""
  int array_tasks = 0;               ///< 0: one per cell, as far as the site allows
  int array_at_once = 0;             ///< 0: as many as the batch system likes
  std::vector<std::string> options;  ///< further options of sbatch, each "--name=value"
  std::optional<SchedulerHost> scheduler;
  std::map<std::string, HostsOfType> gpu_types;  ///< of cluster.groups; empty: hosts are alike
};

/// The keys of `resources:`.
[[nodiscard]] const Fields<Resources>& resource_fields();

/// Reads `resources:` of a campaign; the defaults where it is absent. Throws ConfigError.
[[nodiscard]] Resources read_resources(YamlReader& root);

}  // namespace mimus::emulator
