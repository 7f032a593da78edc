// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/workload_source.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {

/// The jobs of another source in random order, and then jobs drawn from them with replacement, one
/// every `gap`, until they ask for a given multiple of the cluster's GPUs: the inflated workload of
/// FGD (Weng et al., ATC'23, §6.1). The job that would ask for more than that is the first that
/// does not come.
class DrawnJobs final : public WorkloadSource {
 public:
  DrawnJobs(std::unique_ptr<WorkloadSource> origin, const DrawSettings& settings)
      : origin_(std::move(origin)), settings_(settings) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> population(
      const WorkloadContext& context) const override {
    return origin_->population(context);
  }

 private:
  std::unique_ptr<WorkloadSource> origin_;
  DrawSettings settings_;
};

}  // namespace mimus::workloads
