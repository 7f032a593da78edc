// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// The `jobs` source: every job written out in the campaign.
[[nodiscard]] Choice<WorkloadSource> job_list_source();

}  // namespace mimus::workloads
