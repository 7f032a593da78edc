// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/registry.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"

namespace mimus::scheduler {

/// What do we believe about a job? Each question may go unanswered.
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Where the beliefs come from, e.g. "none" or "profile(roofline)"; goes into the results.
  [[nodiscard]] virtual std::string name() const = 0;
  /// False when a source of beliefs that this choice needs was not handed in.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Samples/s of the job on an allocation without co-tenants.
  [[nodiscard]] virtual std::optional<double> throughput(const JobView& job,
                                                         const Allocation& allocation,
                                                         const BatchPlan& batch) const = 0;
  /// Gradient noise scale φ now [samples].
  [[nodiscard]] virtual std::optional<double> noise_scale(const JobView& job) const = 0;
};

/// `throughput` is captured by the choices that need one.
[[nodiscard]] Registry<Estimator> estimate_choices(
    std::shared_ptr<const ThroughputEstimate> throughput);

}  // namespace mimus::scheduler
