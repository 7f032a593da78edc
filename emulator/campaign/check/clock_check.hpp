// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "emulator/cell_config.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Refuses jobs that cannot end before the end of emulated time: int64 nanoseconds reach 292 years.
/// It assumes the best possible cluster: every GPU busy and every job alone with its requested gang
/// and batch. Any policy takes longer.
class ClockCheck {
 public:
  /// `tenants`: maximum per GPU. All references must outlive the check.
  ClockCheck(const ClusterConfig& cluster, const StepTimeModel& steps,
             const workloads::ModelCatalogue& models, int tenants);

  /// Jobs in order of arrival. Throws UsageError that names the job.
  void add(const workloads::Job& job);

 private:
  [[nodiscard]] double run_seconds(const workloads::Job& job);
  [[nodiscard]] std::optional<double> seconds_per_sample(const workloads::Job& job);

  const ClusterConfig& cluster_;
  const StepTimeModel& steps_;
  const workloads::ModelCatalogue& models_;
  double places_;            ///< for tenants, on all GPUs
  double busy_until_ = 0.0;  ///< all places, with the jobs so far [s]
  /// By model, gang and batch; empty where the step-time model does not cover them.
  std::map<std::tuple<std::string, int, std::int64_t>, std::optional<double>> known_;
};

}  // namespace mimus::emulator
