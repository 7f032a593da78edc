// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Hosts of a batch job that are alike. Slurm calls them a component of a heterogeneous job.
struct Component {
  int hosts = 1;
  int ranks_per_host = 1;
  std::string partition;
  std::string constraint;
  std::string gpus;  ///< of a host, "4" or "v100:4"; "" for none
};

/// Whether Slurm has to reserve hosts of several kinds.
[[nodiscard]] bool is_heterogeneous(const Resources& resources);

/// The hosts of the workers, in the order of their ranks. The scheduling rank is on the first of
/// them unless `resources.scheduler` gives it one of its own. With `resources.gpu_types` each group
/// of the cluster has a component, and the first host its own where it has a rank more than others.
/// Throws ConfigError or UsageError where that does not fit the campaign's clusters.
[[nodiscard]] std::vector<Component> worker_components(const Campaign& campaign);

}  // namespace mimus::emulator
