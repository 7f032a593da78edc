// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/plan/memory_packing.hpp"

namespace mimus::kernels {

/// Moves the tensors of Region::working to where the first that are done with make room for later
/// ones, and counts what has to be there at the same time. Gradients begin with the region and lie
/// as the weights do, each from the launch that makes it to the end of the step, or, with several
/// micro-batches, all the time; the optimiser's temporary, behind them, takes the place of
/// everything else. `plan` has all its launches, with the places of `layout`.
void pack_working_memory(LaunchPlan& plan, const ReplicaLayout& layout);

}  // namespace mimus::kernels
