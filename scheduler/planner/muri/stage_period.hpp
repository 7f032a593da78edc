// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "scheduler/jobs/stage_times.hpp"

namespace mimus::scheduler {

/// Maximum number of jobs whose stages are interleaved on the same GPUs: one per resource that Muri
/// counts, storage, CPU, GPU and network.
inline constexpr std::size_t kMostInterleaved = 4;

/// Time after which every member has completed one iteration if the members pass the resources on
/// to each other in the best order and nothing is lost: T of Muri (Zhao et al., SIGCOMM'22 §4.2,
/// with the slots of its simulator, in which the input stage takes up two). Seconds. One to
/// kMostInterleaved members.
[[nodiscard]] double interleaved_period(std::span<const StageTimes> members);

/// Time that an iteration of every member takes in a group: the period times what interleaving was
/// measured to cost with 2, 3 and 4 members (1.33, 1.5, 1.37, in units of a solo iteration that
/// takes 1.015 times as long as profiled). For a single member, its own iteration. Seconds.
[[nodiscard]] double group_iteration(std::span<const StageTimes> members);

/// Share of the time in which the four resources are busy: Σ stages ÷ (4 · group_iteration), γ of
/// Muri. Not above 1.
[[nodiscard]] double interleaving_efficiency(std::span<const StageTimes> members);

/// Whether an iteration takes longer in the group than the iterations of all members one after the
/// other.
[[nodiscard]] bool slower_than_in_turn(std::span<const StageTimes> members);

/// Slowdown of the first member's iterations in the group relative to running alone, at least 1.
[[nodiscard]] double interleaving_slowdown(std::span<const StageTimes> members);

}  // namespace mimus::scheduler
