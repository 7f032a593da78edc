// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels::cuda {

/// The emulated all-reduce that loads the device and the link's time like another operation: the
/// same bytes on the device (ring_volume()), the same total latency (ring_steps()), and the same
/// time on the link (link_volume()).
struct RingLoad {
  std::int64_t elements = 0;   ///< fp32; at most a quarter of the operation's bytes
  Duration latency{};          ///< of each of its steps
  BytesPerSecond bandwidth{};  ///< what the link leaves to one member
};

/// Nothing for fewer than two members. `link` is that of the operation itself.
[[nodiscard]] RingLoad ring_load(CollectiveOp op, std::int64_t bytes, int members,
                                 const GangLink& link);

}  // namespace mimus::kernels::cuda
