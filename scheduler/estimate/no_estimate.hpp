// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// No estimate beyond what the user stated.
class NoEstimate final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;
};

}  // namespace mimus::scheduler
