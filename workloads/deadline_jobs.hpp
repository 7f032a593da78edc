// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// The jobs of another source, each of which gets a deadline unless it has one: a multiple of its
/// run time alone on the cluster, after its arrival. All factors are equally likely (Narayanan et
/// al., OSDI'20, take 1.2, 2 and 10). Each job is drawn by its id and the seed alone. Jobs whose
/// run time is not known get none.
class DeadlineJobs final : public WorkloadSource {
 public:
  DeadlineJobs(std::unique_ptr<WorkloadSource> origin, std::vector<double> factors)
      : origin_(std::move(origin)), factors_(std::move(factors)) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> begin(const WorkloadContext& context) const override;
  [[nodiscard]] Hears hears() const override { return origin_->hears(); }

 private:
  std::unique_ptr<WorkloadSource> origin_;
  std::vector<double> factors_;
};

}  // namespace mimus::workloads
