// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/launch.hpp"
#include "kernels/layers/replica_layout.hpp"

namespace mimus::kernels {

/// The launch that replaces fused run number `run`, forward or backward.
[[nodiscard]] Launch fused_attention(const ReplicaLayout& layout, const PlanSettings& settings,
                                     std::size_t run, bool gradient);

}  // namespace mimus::kernels
