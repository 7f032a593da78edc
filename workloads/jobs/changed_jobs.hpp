// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// What is changed in each job of another source. It has to depend on the job and the seed alone,
/// so that the jobs are the same under every policy.
struct JobChange {
  std::function<void(Job&)> apply;
  std::string settings;  ///< all that it depends on but the seed; part of the workload's hash
};

/// The jobs of another source, each of them changed.
class ChangedJobs final : public WorkloadSource {
 public:
  /// The models of the context outlive the change.
  using MakeChange = std::function<JobChange(const WorkloadContext&)>;
  ChangedJobs(std::unique_ptr<WorkloadSource> origin, MakeChange make_change)
      : origin_(std::move(origin)), make_change_(std::move(make_change)) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> begin(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> population(
      const WorkloadContext& context) const override;
  [[nodiscard]] Hears hears() const override { return origin_->hears(); }

 private:
  std::unique_ptr<WorkloadSource> origin_;
  MakeChange make_change_;
};

}  // namespace mimus::workloads
