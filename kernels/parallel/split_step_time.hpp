// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {

/// The narrowest links of a stage's ranks: among holders of the same weights, among those that
/// share layers, and to the next stage of the pipeline. From the last stage the latter leads to the
/// first.
struct StageLinks {
  GangLink data;
  GangLink tensor;
  GangLink pipeline;
};

/// Of each stage. A gang that is not split has one, of which only `data` counts.
using GangLinks = std::vector<StageLinks>;

/// The time of a step of a gang that is alone, given the plans of make_gang_plans(). Stages are
/// replayed together: a transfer begins when both its ends are ready and the previous one is over.
/// Device and exposed times are means over the stages. Waits for another stage do not count as
/// exposed. `node` as in solo_step_time().
[[nodiscard]] StepTime gang_step_time(const std::vector<FootprintPlan>& plans,
                                      const GangLinks& links, const NodeUse& node = {});

/// Time per step for which a rank's transfers occupy links that cross nodes, without latency: mean
/// over the stages.
[[nodiscard]] Duration crossing_time(const std::vector<FootprintPlan>& plans,
                                     const GangLinks& links);

}  // namespace mimus::kernels
