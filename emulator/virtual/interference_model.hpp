// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/registry.hpp"
#include "emulator/engine.hpp"
#include "emulator/virtual/step_time_model.hpp"

namespace mimus::emulator {

/// What tenants of one GPU cost each other.
class InterferenceModel {
 public:
  virtual ~InterferenceModel() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// False when co-tenants never matter; nothing else is asked then.
  [[nodiscard]] virtual bool active() const { return true; }
  /// Factor (>= 1) on the compute time of `attempt` on one GPU that it shares with `beside`.
  /// A gang is as slow as its slowest replica: the caller takes the largest over its GPUs.
  [[nodiscard]] virtual double slowdown(const Attempt& attempt,
                                        std::span<const Attempt* const> beside) const = 0;
};

/// `none`, `pairs` (a measured matrix), `utilisation` (a curve over the sum of utilisations).
/// `steps` must outlive what is made; it tells how busy an attempt keeps a device.
[[nodiscard]] Registry<InterferenceModel> interference_choices(const StepTimeInputs& inputs,
                                                               const StepTimeModel& steps);

}  // namespace mimus::emulator
