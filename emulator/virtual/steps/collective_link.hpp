// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::emulator {

/// How a gang's all-reduces are laid out.
enum class CollectiveLayout { ring, tree, best };

/// The link on which a ring would take as long as a double binary tree takes on `link`: two trees
/// reduce and broadcast half of the data each, so that an all-reduce of S bytes over n ranks takes
///   2·⌈log2 n⌉·latency + 2·S / (0.92·bandwidth)
/// instead of the ring's 2·(n−1)·latency + 2·(n−1)/n·S / bandwidth (Sanders, Speck and Träff,
/// Parallel Computing 35, 2009; NCCL, graph/tuning.cc, which gives trees 0.92 of the bandwidth).
[[nodiscard]] kernels::GangLink tree_link(const kernels::GangLink& link, int replicas);

/// Time per step for which a plan's transfers occupy the link, without latency.
[[nodiscard]] Duration transfer_time(const kernels::FootprintPlan& plan,
                                     const kernels::GangLink& link);

}  // namespace mimus::emulator
