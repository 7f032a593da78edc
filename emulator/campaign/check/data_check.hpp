// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/check/policy_check.hpp"

namespace mimus::emulator {

/// Refuses data paths if the engine has none, and a cache without memory. `run_times`: progress is
/// recorded run time. Throws ConfigError.
void check_data(const Cell& cell, const CellConfig& config, bool run_times);

/// What is wrong with the data set that the job names, given the earlier ones, or "".
[[nodiscard]] std::string why_no_data(const CellConfig& config, const workloads::Job& job,
                                      const JobTraits& before);

/// Notes keys of data sets without effect.
void add_data_notes(const Cell& cell, const CellConfig& config, const JobTraits& traits,
                    std::vector<std::string>& notes);

}  // namespace mimus::emulator
