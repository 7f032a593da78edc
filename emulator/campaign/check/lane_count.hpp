// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policy/policy.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Lanes of each GPU that the jobs of a live cell can fill, at least 1: no more than the policy's
/// tenants, than jobs that need a GPU, and, where jobs occupy the shares of GPUs that they request,
/// than the smallest share fits into a GPU.
[[nodiscard]] int lane_count(const scheduler::Policy& policy, const workloads::Workload& workload);

}  // namespace mimus::emulator
