// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/campaign.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// Why a cell cannot run the job's model over several GPUs, or on a grid; empty if it can. Throws
/// UsageError if the model cannot be divided as its name says.
[[nodiscard]] std::string why_not_split(const CellConfig& config, const workloads::Job& job,
                                        const workloads::Model& model);

/// Why the sizes that its user allows for a job's gang cannot be kept to in this cell, or "".
[[nodiscard]] std::string why_not_in_range(const CellConfig& config, const workloads::Job& job);

/// Why the job's gang does not consist of whole replicas, or of one of a solver on a grid; empty if
/// it does.
[[nodiscard]] std::string why_broken(const workloads::Job& job, const workloads::Model& model);

}  // namespace mimus::emulator
