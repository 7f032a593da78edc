// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/registry.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

// The planners under which several jobs hold a GPU: parts of planner_choices().

[[nodiscard]] Choice<Planner> antman_choice();
[[nodiscard]] Choice<Planner> gandiva_choice();
[[nodiscard]] Choice<Planner> gavel_choice(std::uint64_t seed);
[[nodiscard]] Choice<Planner> lucid_choice();
[[nodiscard]] Choice<Planner> muri_choice();
[[nodiscard]] Choice<Planner> salus_choice();

}  // namespace mimus::scheduler
