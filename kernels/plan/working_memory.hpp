// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/plan/memory_packing.hpp"

namespace mimus::kernels {

/// Moves the tensors of Region::working so that the first ones that are done make room for later
/// ones, and counts the memory needed at the same time. Gradients begin with the region and are
/// laid out like the weights. Each lives from the launch that makes it to the end of the step, or,
/// with several micro-batches, all the time. The optimiser's temporary, after them, takes the place
/// of everything else. `plan` has all its launches, with the places of `layout`.
void pack_working_memory(LaunchPlan& plan, const ReplicaLayout& layout);

}  // namespace mimus::kernels
