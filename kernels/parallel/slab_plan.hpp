// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/parallel/parallel_plan.hpp"

namespace mimus::kernels {

/// A solver on a grid that is divided into slabs, equal runs of planes along one side, one per GPU.
/// Its ranks exchange data after the layers:
/// - a Fourier transform transposes each field once, from planes to columns along the divided side:
///   an all-to-all of a rank's part of the spectrum;
/// - a stencil and an interpolation need planes of both neighbours: two send_recv around the ring,
///   as the fields are periodic. Points of an interpolation that leave the slab are taken to be in
///   these planes;
/// - scalar products are summed over all ranks.
/// Nothing overlaps. Throws UsageError if the grid cannot be divided so.
[[nodiscard]] ParallelPlan make_slab_plan(const workloads::Model& model, const ParallelShape& shape,
                                          const LaunchOptions& options);
/// The layers and fields of one rank.
[[nodiscard]] workloads::Model slab_share(const workloads::Model& model,
                                          const ParallelShape& shape);

}  // namespace mimus::kernels
