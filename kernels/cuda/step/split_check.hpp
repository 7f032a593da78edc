// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "kernels/cuda/collective/stream_collectives.hpp"
#include "kernels/parallel/rank_communication.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {

/// Checks that a rank of a split model can exchange what `split` says: every collective exists, is
/// placed at a launch of its pass and stays within the memory of `plan`. Throws InternalError if
/// not, and UsageError if several collectives are staged through the host.
void check_split(const StreamCollectives& gang, const LaunchPlan& plan,
                 const RankCommunication& split);

/// Bytes of either half of Region::exchange.
[[nodiscard]] std::int64_t exchange_half(const LaunchPlan& plan);
/// Where the sum of the tied table is received: the buckets, which are free by then, or without
/// buckets the second half of Region::exchange.
[[nodiscard]] TensorRef tied_table_room(const LaunchPlan& plan);
/// Of a tensor or transfer.
[[nodiscard]] inline std::int64_t whole_bytes(Bytes size) {
  return static_cast<std::int64_t>(size.value);
}

}  // namespace mimus::kernels::cuda
