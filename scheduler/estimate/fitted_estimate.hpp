// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scheduler/estimate/estimator.hpp"
#include "scheduler/estimate/loss_beliefs.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "scheduler/fit/step_profile.hpp"

namespace mimus::scheduler {

/// What the agents of Pollux know (Qiao et al., OSDI'21, §3 and 4.1). While a job runs, its
/// throughput model is fitted to the steps that it has measured by fit_throughput(), which assumes
/// perfect scaling to more GPUs until they have been tried. The noise scale is the one that the job
/// measured last. There is no estimate before a job's first sample, nor for more than twice the
/// GPUs that it has had (Pollux explores no further). A sample beside co-tenants measures sharing,
/// not the job alone, and is left out.
///
/// On each GPU type a job has its own model, from what it has measured there. With Solo::profiled a
/// profiler has measured each job on one GPU of each type before it starts. On a type on which a
/// job has yet to run with several GPUs, its model is then that of the type on which it has had
/// most, times the ratio of both speeds on one GPU; without any such type, scaling is perfect
/// (Jayaram Subramanya et al., SOSP'23, §3.2).
///
/// A model is fitted again if there is something new to fit, at the earliest `interval` after the
/// last time. With Per::model all jobs of a model are fitted together, so that a new job is known
/// from earlier ones. With `loss` the losses that each job reports are also fitted and give the
/// rest of its training.
class FittedEstimate final : public Estimator {
 public:
  enum class Per { job, model };
  enum class Solo { measured, profiled };
  struct Settings {
    Duration interval = std::chrono::seconds(30);
    Per per = Per::job;
    LossRule loss = LossRule::none;
    Solo solo = Solo::measured;  ///< speed on one GPU of a type
  };
  /// `profile`: for Solo::profiled; may be null while a configuration is only checked.
  explicit FittedEstimate(Settings settings,
                          std::shared_ptr<const ThroughputEstimate> profile = nullptr);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool ready() const override {
    return settings_.solo == Solo::measured || profile_ != nullptr;
  }
  [[nodiscard]] Duration sample_interval() const override { return settings_.interval; }
  void observe(const JobView& job, const JobSample& sample) override;
  void left(const JobView& job) override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] StepRate rate_on(const JobView& job, GpuSpread spread) const override;
  /// Twice as many as it has had of the type, or with Solo::profiled of any type; 1 before its
  /// first sample there.
  [[nodiscard]] int most_gpus(const JobView& job, int type) const override;
  [[nodiscard]] int nodes_told_apart() const override { return 2; }
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;
  [[nodiscard]] const LossBelief* loss(const JobView& job) const override;
  [[nodiscard]] std::optional<double> samples_left(const JobView& job) const override;

 private:
  struct Knowledge {
    StepProfile profile;
    ThroughputModel model;
    Instant fit_from{};  ///< the next fit
    int most_gpus = 0;   ///< largest number that it has had
  };

  using OfTypes = std::map<int, Knowledge>;  ///< by GPU type

  [[nodiscard]] Knowledge& knowledge_of(const JobView& job);
  /// Null before the first sample.
  [[nodiscard]] const OfTypes* types_of(const JobView& job) const;
  [[nodiscard]] const Knowledge* find(const JobView& job, int type) const;
  /// From what the job has measured on the type.
  [[nodiscard]] static StepRate fitted_rate(const Knowledge& known, GpuSpread spread);
  /// From the profile, and from what the job has measured on another type.
  [[nodiscard]] StepRate carried_over(const JobView& job, GpuSpread spread) const;
  /// Samples/s on one GPU of the type, as profiled.
  [[nodiscard]] std::optional<double> profiled(const JobView& job, int type,
                                               const BatchPlan& batch) const;
  [[nodiscard]] int type_of(const Allocation& allocation) const;
  [[nodiscard]] int nodes_of(const Allocation& allocation) const;

  Settings settings_;
  std::shared_ptr<const ThroughputEstimate> profile_;
  std::optional<LossBeliefs> losses_;
  std::map<JobId, OfTypes> of_jobs_;
  std::map<std::string, OfTypes> of_models_;
};

}  // namespace mimus::scheduler
