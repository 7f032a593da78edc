// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/jobs/changed_jobs.hpp"

namespace mimus::workloads {

/// Makes a share of the jobs, 0..1, opportunistic.
[[nodiscard]] ChangedJobs::MakeChange drawn_opportunistic(double share);

}  // namespace mimus::workloads
