// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/gavel/time_fractions.hpp"

namespace mimus::scheduler {

/// Takes from jobs what they have beyond what makes their `needed` iterations/s, and gives what is
/// then left of each type to all jobs that could use it, in equal parts of GPUs, until they have
/// all of the time. Without pairs.
[[nodiscard]] TimeFractions share_spare(const SharedTypes& shared, TimeFractions fractions,
                                        const std::vector<double>& needed);

}  // namespace mimus::scheduler
