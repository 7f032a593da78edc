// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/cluster/cluster.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Iterations/s that a job states for these GPUs, those of its slowest type. InternalError for a
/// type without a rate.
[[nodiscard]] double stated_rate(const workloads::Job& job, const scheduler::ClusterShape& shape,
                                 std::span<const scheduler::Slot> slots);

/// How much of its recorded run time a job completes per second on these GPUs, where its iterations
/// per second are stated by GPU type; else 1. Otherwise as stated_rate().
[[nodiscard]] double rated_speed(const workloads::Job& job, const scheduler::ClusterShape& shape,
                                 std::span<const scheduler::Slot> slots);

}  // namespace mimus::emulator
