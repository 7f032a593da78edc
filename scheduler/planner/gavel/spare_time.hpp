// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/gavel/time_fractions.hpp"

namespace mimus::scheduler {

/// Takes from jobs the time beyond what they need for their `needed` iterations/s. The time that is
/// then left on each type goes to all jobs that could use it, in equal parts of GPUs, until they
/// have all of the time. Only without pairs.
[[nodiscard]] TimeFractions share_spare(const SharedTypes& shared, TimeFractions fractions,
                                        const std::vector<double>& needed);

}  // namespace mimus::scheduler
