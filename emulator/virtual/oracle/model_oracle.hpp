// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/job_lookup.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "scheduler/batch/batch_split.hpp"
#include "scheduler/estimate/oracle.hpp"

namespace mimus::emulator {

/// The truth of a virtual run: its own step-time model, and the training progress that both engines
/// share. Where jobs are recorded run times, they have no steps.
class ModelOracle final : public scheduler::Oracle {
 public:
  /// All references must outlive the oracle.
  ModelOracle(const ClusterConfig& cluster, const StepTimeModel& steps,
              const workloads::ModelCatalogue& models, JobLookup jobs,
              const LearningTruth& learning = {});

  /// Nothing of a job that will diverge.
  [[nodiscard]] std::optional<Duration> run_time(JobId job) const override;
  /// Over the course of the noise scale, which is taken in thousandths of the work. Likewise.
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override;
  [[nodiscard]] std::optional<Duration> step_time(JobId job, int gpus) const override;
  [[nodiscard]] int most_gpus(JobId job) const override;

 private:
  /// Steps per sample of work, summed up from the beginning to each thousandth of it.
  using Course = std::vector<double>;
  [[nodiscard]] const workloads::Model* model_of(const workloads::Job& job) const;
  [[nodiscard]] scheduler::GpuTypes types_of(const workloads::Job& job) const;
  [[nodiscard]] Attempt packed(const workloads::Job& job, int gpus) const;
  [[nodiscard]] const scheduler::BatchLimits& limits_of(const workloads::Model& model,
                                                        Bytes memory) const;
  [[nodiscard]] double steps_between(const workloads::Model& model, const workloads::Job& job,
                                     double from_samples) const;
  [[nodiscard]] const Course& course(const workloads::Model& model,
                                     const workloads::Job& job) const;

  const ClusterConfig& cluster_;
  const StepTimeModel& steps_;
  const workloads::ModelCatalogue& models_;
  JobLookup jobs_;
  LearningTruth learning_;
  /// By model, batch and, where a learning rate warms up, work.
  mutable std::map<std::tuple<const workloads::Model*, std::int64_t, double>, Course> courses_;
  /// By model and memory of a GPU [B].
  mutable std::map<std::pair<const workloads::Model*, double>, scheduler::BatchLimits> limits_;
};

}  // namespace mimus::emulator
