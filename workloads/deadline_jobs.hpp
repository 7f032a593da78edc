// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/jobs/changed_jobs.hpp"

namespace mimus::workloads {

/// Gives each job a deadline unless it has one: a multiple of its run time alone on the cluster,
/// after its arrival. All factors are equally likely (Narayanan et al., OSDI'20, take 1.2, 2 and
/// 10). Jobs whose run time is not known get none.
[[nodiscard]] ChangedJobs::MakeChange drawn_deadlines(std::vector<double> factors);

}  // namespace mimus::workloads
