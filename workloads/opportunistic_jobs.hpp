// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// The jobs of another source, of which a share is opportunistic. Each job is drawn by its id and
/// the seed alone, so that the same jobs are opportunistic under every policy.
class OpportunisticJobs final : public WorkloadSource {
 public:
  /// `share` of the jobs, 0..1.
  OpportunisticJobs(std::unique_ptr<WorkloadSource> origin, double share)
      : origin_(std::move(origin)), share_(share) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> begin(const WorkloadContext& context) const override;
  [[nodiscard]] Hears hears() const override { return origin_->hears(); }

 private:
  std::unique_ptr<WorkloadSource> origin_;
  double share_;
};

}  // namespace mimus::workloads
