// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/jobs/job.hpp"

namespace mimus::emulator::cli {

/// A part of a campaign (`schema`, `workload: {source: jobs, ...}`) with every job written out, for
/// use as `base:`. Comments say where the jobs came from.
[[nodiscard]] std::string job_list_yaml(const workloads::Workload& workload,
                                        const std::string& from);

/// Properties of these jobs that the list cannot hold, one sentence each.
[[nodiscard]] std::vector<std::string> job_list_losses(const workloads::Workload& workload);

}  // namespace mimus::emulator::cli
