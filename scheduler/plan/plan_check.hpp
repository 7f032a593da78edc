// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/books/books.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Why a plan cannot be carried out, with what is allowed; "" when it can. `usable_gpus`: as Placer
/// says.
[[nodiscard]] std::string why_impossible(const Books& books, const Plan& plan, int usable_gpus,
                                         Instant now);

/// How many GPUs a target names.
[[nodiscard]] int gpus_of(const Target& target);

}  // namespace mimus::scheduler
