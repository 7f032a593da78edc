// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "workloads/jobs/batch_course.hpp"
#include "workloads/traces/formats/gavel_throughputs.hpp"

namespace mimus::workloads {

/// A row of Shockwave's trace.
struct ShockwaveJob {
  std::string_view job_type;  ///< e.g. "ResNet-18 (batch size 64)"
  std::int64_t gang = 1;
  std::int64_t steps = 1;  ///< were its first batch kept
  std::string_view mode;   ///< static, accordion, gns
};

/// How Shockwave's simulator changes the batch of such a job: Accordion takes the largest batch
/// outside critical epochs, the gradient noise scale (gns) doubles it at recorded epochs. Batches
/// without a throughput are never taken. Source: scheduler/utils.py, scheduler.py of its artifact
/// (NSDI'23). Nothing when the job type is none of its models', or has no throughput itself.
[[nodiscard]] std::optional<BatchCourse> shockwave_course(const ShockwaveJob& job,
                                                          const GavelThroughputs& throughputs);

}  // namespace mimus::workloads
