// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Estimated throughput of a job on an allocation. Implemented outside this folder (from a profile,
/// a fit or the truth); `name` says which and is recorded in the results.
class ThroughputEstimate {
 public:
  virtual ~ThroughputEstimate() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Estimated time of one step without co-tenants; nothing without an estimate.
  [[nodiscard]] virtual std::optional<Duration> step_time(const std::string& model,
                                                          const Allocation& allocation,
                                                          const BatchPlan& batch) const = 0;
};

}  // namespace mimus::scheduler
