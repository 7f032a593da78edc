// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// What a batch script asks of Slurm: words after #SBATCH.
using Words = std::vector<std::string>;

/// Number of tasks of an array that runs the cells.
[[nodiscard]] int array_tasks(const Campaign& campaign);

/// Of the job that runs the cells. `folder`: of the logs. Throws as worker_components() does.
[[nodiscard]] Words run_directives(const Campaign& campaign, const std::string& folder, bool array);

/// Of the job that follows and merges the results.
[[nodiscard]] Words aggregate_directives(const Campaign& campaign, const std::string& folder);

}  // namespace mimus::emulator
