// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/books/books.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The reason why a plan cannot be carried out, with what is allowed; "" if it can. `usable_gpus`:
/// see Placer.
[[nodiscard]] std::string why_impossible(const Books& books, const Plan& plan, int usable_gpus,
                                         Instant now);

/// Number of GPUs of a target.
[[nodiscard]] int gpus_of(const Target& target);

}  // namespace mimus::scheduler
