// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Refuses choices that assume identical nodes if groups differ. Throws ConfigError.
void check_groups(const Cell& cell, const CellConfig& config);

/// The reason why no GPU type of the cluster can take the job, or "". `model` is null if its work
/// is a recorded run time.
[[nodiscard]] std::string fits_no_type(const scheduler::ClusterShape& shape,
                                       const workloads::Job& job, const workloads::Model* model);

}  // namespace mimus::emulator
