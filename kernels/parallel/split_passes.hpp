// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/footprint/roofline.hpp"
#include "kernels/parallel/parallel_plan.hpp"

namespace mimus::kernels {

/// Both passes of a rank's share in segments that end where the rank communicates.
struct SplitPasses {
  std::vector<Segment> forward;     ///< of one micro-batch
  std::vector<Segment> backward;    ///< of one micro-batch
  RankCommunication communication;  ///< the rank's, counted in segments
};
[[nodiscard]] SplitPasses cut_passes(const ParallelPlan& rank, const RooflineRates& rates);

}  // namespace mimus::kernels
