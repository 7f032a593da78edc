// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/slurm/slurm_plan.hpp"

namespace mimus::emulator {

/// The call of sbatch for the job at `index`. `before` is the job that it follows, "" for none.
[[nodiscard]] std::vector<std::string> sbatch_command(const SlurmPlan& plan, std::size_t index,
                                                      const std::string& before);

/// The scripts and the calls of sbatch as text, as submit() would write and make them.
[[nodiscard]] std::string dry_run_text(const SlurmPlan& plan);

/// Writes the scripts and what they source into the plan's folder. Throws IoError.
void write_scripts(const SlurmPlan& plan);

/// Writes the scripts and submits them, each job after the previous one. Returns their ids. Throws
/// EnvironmentError when there is no sbatch or it refuses.
[[nodiscard]] std::vector<std::string> submit(const SlurmPlan& plan);

}  // namespace mimus::emulator
