// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/plan/pursuits.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

using Targets = IdMap<JobId, const Target*>;
/// Null if the job waits.
[[nodiscard]] const Target* target_of(const Targets& targets, const JobRecord& job);

/// The job has GPUs and has not been asked to leave them.
[[nodiscard]] bool stays(const JobView& job);
/// The number of the GPU type that a target names, if any.
[[nodiscard]] std::optional<int> type_of(const ClusterShape& shape, const Target& target);
/// Whether a running job has what its target gives it.
[[nodiscard]] bool reached(const ClusterShape& shape, const JobView& job, const Target& target);
/// Whether a running job continues with more or fewer GPUs, instead of being stopped and restarted.
[[nodiscard]] bool resizes(const Books& books, const JobRecord& job, const Target& target);
/// The same on other GPUs.
[[nodiscard]] bool moves(const Books& books, const JobRecord& job, const Target& target);
/// Number of its GPUs, from the first on, with which a job continues; `target`: see target_of().
[[nodiscard]] std::size_t kept_gpus(const Books& books, const JobRecord& job, const Target* target);

/// `place` begins with the GPUs of `first`, in their order.
[[nodiscard]] bool begins_with(const Allocation& place, const Allocation& first);

/// All jobs that do not have what the plan gives them, in its order, then the jobs that it leaves
/// out. Places are found in the state of the cluster after all yielding jobs have left. Jobs
/// without a place wait.
[[nodiscard]] std::vector<Pursuit> pursuits_of(Books& books, const Plan& plan,
                                               const Targets& targets,
                                               std::span<JobRecord* const> jobs, Instant now);

}  // namespace mimus::scheduler
