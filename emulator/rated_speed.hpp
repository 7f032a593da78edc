// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "scheduler/cluster/cluster.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Iterations/s that a job states for these GPUs, those of its slowest type. InternalError for a
/// type without a rate.
[[nodiscard]] double stated_rate(const workloads::Job& job, const scheduler::ClusterShape& shape,
                                 std::span<const scheduler::Slot> slots);

/// Iterations/s that a job states for GPUs of a type which it shares with this one; nothing if they
/// were not measured.
[[nodiscard]] std::optional<double> stated_rate_beside(const workloads::Job& job,
                                                       const workloads::Job& other,
                                                       const std::string& type);

/// How much of its recorded run time a job completes per second on these GPUs, where its iterations
/// per second are stated by GPU type; else 1. Otherwise as stated_rate().
[[nodiscard]] double rated_speed(const workloads::Job& job, const scheduler::ClusterShape& shape,
                                 std::span<const scheduler::Slot> slots);

}  // namespace mimus::emulator
