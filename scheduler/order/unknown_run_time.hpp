// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::scheduler {

/// Position of jobs without an estimate of their run time.
enum class Unknown { first, last };

/// The `Rank::major` for this position: more than any number of GPUs (31 bits) times any time (63
/// bits), and small enough to be extrapolated with any drift.
[[nodiscard]] constexpr WideInteger major_of(Unknown unknown) {
  return unknown == Unknown::first ? WideInteger{0} : WideInteger{1} << 100;
}

}  // namespace mimus::scheduler
