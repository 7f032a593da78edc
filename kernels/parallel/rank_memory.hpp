// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/parallel/parallel_plan.hpp"

namespace mimus::kernels {

/// Corrects the memory of a plan's launches, which are of one micro-batch of one GPU, to that of a
/// rank: the activations of all micro-batches under way in its stage, and Region::exchange. All
/// communication of the plan must be known.
void add_rank_memory(ParallelPlan& plan);

}  // namespace mimus::kernels
