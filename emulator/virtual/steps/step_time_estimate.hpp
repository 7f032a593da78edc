// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/cell_config.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"

namespace mimus::emulator {

/// Solo step times of a virtual cell's own model as a policy's belief: what a site knows after
/// profiling its models offline.
class StepTimeEstimate final : public scheduler::ThroughputEstimate {
 public:
  /// All arguments must outlive this object.
  StepTimeEstimate(const StepTimeModel& steps, const workloads::ModelCatalogue& models)
      : steps_(steps), models_(models) {}

  [[nodiscard]] std::string name() const override { return steps_.name(); }
  [[nodiscard]] std::optional<Duration> step_time(const std::string& model,
                                                  const scheduler::Allocation& allocation,
                                                  const scheduler::BatchPlan& batch) const override;

 private:
  const StepTimeModel& steps_;
  const workloads::ModelCatalogue& models_;
};

}  // namespace mimus::emulator
