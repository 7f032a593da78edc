// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// Recorded run times unchanged: a step is one second of them, times a factor for the locality of
/// the gang. Shared uplinks have no effect, because a run time does not say what it used. A job
/// with a host share f is as slow as the slower of its GPUs and its cores: max(interference, f ×
/// core load), with the pipelined iteration max(T_gpu, T_cpu) of Weng et al. (NSDI'22, §6).
class DurationSteps final : public StepTimeModel {
 public:
  struct Settings {
    std::array<double, 5> locality{1.0, 1.0, 1.0, 1.0, 1.0};  ///< by scheduler::Locality, >= 1
    double device_busy = 1.0;  ///< share of its time for which a job keeps its GPUs busy
  };
  DurationSteps(const ClusterConfig& cluster, Settings settings);

  [[nodiscard]] std::string name() const override { return "duration"; }
  [[nodiscard]] bool counts_run_time() const override { return true; }
  void check(const workloads::Job& job) const override;
  [[nodiscard]] StepCost step(const Attempt& attempt,
                              const Surroundings& surroundings) const override;

 private:
  scheduler::ClusterShape shape_;
  Settings settings_;
  bool flat_;  ///< all localities cost the same
};

[[nodiscard]] Choice<StepTimeModel> duration_choice(const StepTimeInputs& inputs);

}  // namespace mimus::emulator
