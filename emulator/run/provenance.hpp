// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/runner.hpp"
#include "results/recorder.hpp"
#include "workloads/jobs/job_stream.hpp"

namespace mimus::emulator {

using ProvenanceFacts = std::map<std::string, std::string>;

/// Where a result came from: program, host, launch, inputs and the settings that shaped it, and the
/// `engine` facts of its engine, which override the host's.
[[nodiscard]] results::Provenance provenance_of(const Campaign& campaign, const Cell& cell,
                                                const RunOptions& options,
                                                const workloads::JobStream& jobs,
                                                const std::string& policy_label,
                                                const ProvenanceFacts& engine);

/// The program, this machine and the batch job: facts that every file has.
[[nodiscard]] ProvenanceFacts program_facts();

/// The name of this machine in results.
[[nodiscard]] std::string host_name();

}  // namespace mimus::emulator
