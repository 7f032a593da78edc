// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/step_time_model.hpp"

#include "emulator/virtual/steps/analytic_steps.hpp"
#include "emulator/virtual/steps/duration_steps.hpp"
#include "emulator/virtual/steps/measured_steps.hpp"

namespace mimus::emulator {

Duration StepTimeModel::transfers(const Attempt&) const {
  return {};
}

std::optional<MeasuredNoise> StepTimeModel::noise_scale(const Attempt&, double) const {
  return std::nullopt;
}

std::optional<double> StepTimeModel::steps_left(const workloads::Job&, double) const {
  return std::nullopt;
}

Registry<StepTimeModel> step_time_choices(const StepTimeInputs& inputs) {
  return {"step time", {duration_choice(inputs), analytic_choice(inputs), measured_choice(inputs)}};
}

}  // namespace mimus::emulator
