// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/time.hpp"
#include "results/schema/rows.hpp"
#include "scheduler/jobs/action.hpp"

namespace mimus::emulator {

/// A decision of the scheduler, which took `latency` on the wall clock, with the queued jobs and
/// running attempts after it.
[[nodiscard]] results::DecisionRow decision_row(const scheduler::Decision& decision,
                                                Duration latency, Instant at, std::size_t queued,
                                                std::size_t running);

}  // namespace mimus::emulator
