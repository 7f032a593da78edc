// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "emulator/engine.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/steps/spill_times.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// The slowdown of tenants of one GPU.
class InterferenceModel {
 public:
  virtual ~InterferenceModel() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// False if co-tenants never matter; the other functions are then not called.
  [[nodiscard]] virtual bool active() const { return true; }
  /// Factor (>= 1) on the compute time of `attempt` on one GPU that it shares with `beside`.
  /// A gang is as slow as its slowest replica: the caller takes the largest over its GPUs.
  [[nodiscard]] virtual double slowdown(const Attempt& attempt,
                                        std::span<const Attempt* const> beside) const = 0;
  /// The factor of a gang beside all its co-tenants, whichever of its GPUs they are on, if it was
  /// measured.
  [[nodiscard]] virtual std::optional<double> gang_slowdown(
      const Attempt& /*gang*/, std::span<const Attempt* const> /*beside*/) const {
    return std::nullopt;
  }
};

/// A law of sharing, with the utilisations of solo steps from the step-time model.
class LawOfTenants final : public InterferenceModel {
 public:
  /// `steps` must outlive the model.
  LawOfTenants(const StepTimeModel& steps, BytesPerSecond host_link,
               std::unique_ptr<SharingLaw> law)
      : steps_(steps), spills_(host_link), law_(std::move(law)) {}

  [[nodiscard]] std::string name() const override { return law_->name(); }
  [[nodiscard]] bool active() const override { return law_->active(); }
  [[nodiscard]] double slowdown(const Attempt& attempt,
                                std::span<const Attempt* const> beside) const override;
  /// Of a whole step, the measured factor is on its communication, too, which interference does not
  /// stretch: the rest of the step takes it all.
  [[nodiscard]] std::optional<double> gang_slowdown(
      const Attempt& gang, std::span<const Attempt* const> beside) const override;

 private:
  [[nodiscard]] GpuTenant tenant_of(const Attempt& attempt) const;

  const StepTimeModel& steps_;
  SpillTimes spills_;
  std::unique_ptr<SharingLaw> law_;
};

}  // namespace mimus::emulator
