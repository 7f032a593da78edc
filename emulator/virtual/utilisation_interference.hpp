// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/virtual/interference_model.hpp"

namespace mimus::emulator {

/// Slowdown from how busy each tenant keeps the GPU when alone (device time ÷ step time).
class UtilisationInterference final : public InterferenceModel {
 public:
  /// fair: the GPU's time is divided max-min fairly, as equal time slices do: a tenant that asks
  /// for u of it and gets c is slowed by u/c. Two tenants that saturate it take twice as long, one
  /// that asks for less than its share is not slowed at all. What the live engine's ledger does.
  /// sum: all tenants are slowed alike by the sum of what they ask for, once it passes 1 (Horus,
  /// Yeung et al., TPDS 2022, and Lucid, ASPLOS 2023, predict from such sums).
  /// curve: all are slowed by a measured function of the sum.
  enum class Law { fair, sum, curve };
  struct Point {
    double sum = 0.0;
    double slowdown = 1.0;
  };
  struct Settings {
    Law law = Law::fair;
    double capacity = 1.0;     ///< device time per second that tenants can use together
    std::vector<Point> curve;  ///< ascending in `sum`; linear between, constant outside
  };
  /// `steps` must outlive the model.
  UtilisationInterference(const StepTimeModel& steps, Settings settings)
      : steps_(steps), settings_(std::move(settings)) {}

  [[nodiscard]] std::string name() const override { return "utilisation"; }
  [[nodiscard]] double slowdown(const Attempt& attempt,
                                std::span<const Attempt* const> beside) const override;

 private:
  [[nodiscard]] double utilisation(const Attempt& attempt) const;
  [[nodiscard]] double on_curve(double sum) const;

  const StepTimeModel& steps_;
  Settings settings_;
};

[[nodiscard]] Choice<InterferenceModel> utilisation_choice(const StepTimeModel& steps);

}  // namespace mimus::emulator
