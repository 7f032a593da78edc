// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/virtual/steps/step_measurements.hpp"
#include "workloads/pollux/profile.hpp"

namespace mimus::emulator {

/// The step times that the Pollux artifact measured on nodes of 4 T4, by placement and per-GPU
/// batch (workloads::PolluxStepTable). Where a placement was measured with other batches only, the
/// grid of all placements answers. Micro-batches before the last one take a step without its
/// synchronisation.
class PolluxMeasurements final : public StepMeasurements {
 public:
  PolluxMeasurements(const ClusterConfig& cluster, const std::string& folder);

  [[nodiscard]] std::string name() const override { return "pollux"; }
  [[nodiscard]] bool has_model(const std::string& model) const override;
  [[nodiscard]] std::optional<StepCost> find(const Attempt& attempt) const override;
  [[nodiscard]] std::optional<MeasuredNoise> noise_scale(const Attempt& attempt,
                                                         double fraction) const override;
  [[nodiscard]] std::optional<double> steps_left(const workloads::Job& job,
                                                 double fraction) const override;
  [[nodiscard]] std::vector<MeasuredPoint> points(const std::string& model) const override;
  [[nodiscard]] std::string missing(const Attempt& attempt) const override;

 private:
  [[nodiscard]] std::vector<int> per_node(const Attempt& attempt) const;

  scheduler::ClusterShape shape_;
  workloads::PolluxProfiles profiles_;
};

}  // namespace mimus::emulator
