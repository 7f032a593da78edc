// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/steps/spill_times.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// An attempt and what it shares at present.
struct SharingAttempt {
  const Attempt* attempt = nullptr;
  Surroundings now;
  StepCost without_co_tenants{};  ///< of InterferenceModel
  /// Steps in turns with others, by the stretch of kernels; to be cleared with any other change.
  mutable std::vector<std::pair<double, StepCost>> in_turns{};
};

/// A tenant of a GPU as another one sees it.
struct CoTenant {
  const SharingAttempt* sharing = nullptr;
  /// How many times as long as alone its kernels take on this GPU and on the slowest of its other
  /// ones, where tenants take turns.
  double slowed_here = 1.0, slowed_elsewhere = 1.0;
};

/// The slowdown of tenants of one GPU.
class InterferenceModel {
 public:
  virtual ~InterferenceModel() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// False if co-tenants never matter; the other functions are then not called.
  [[nodiscard]] virtual bool active() const { return true; }
  /// Whether tenants take turns. Slowdowns are then those of kernels (Surroundings::device_stretch)
  /// and depend on what else the tenants share, and on how the co-tenants are slowed.
  [[nodiscard]] virtual bool in_turns() const { return false; }
  /// The cost of a step alone, kept until the attempt's batch changes.
  [[nodiscard]] virtual StepCost without_co_tenants(const Attempt& attempt) const = 0;
  /// Factor (>= 1) on the compute time of `attempt` in its surroundings, on one GPU that it shares
  /// with `beside`. Slowdowns at present do not matter. A gang is as slow as its slowest replica:
  /// the caller takes the largest over its GPUs.
  [[nodiscard]] virtual double slowdown(const SharingAttempt& attempt,
                                        std::span<const CoTenant> beside) const = 0;
  /// Whether gang_slowdown() may know any.
  [[nodiscard]] virtual bool measures_gangs() const { return false; }
  /// The factor of a gang beside all its co-tenants, whichever of its GPUs they are on, if it was
  /// measured.
  [[nodiscard]] virtual std::optional<double> gang_slowdown(
      const SharingAttempt& /*gang*/, std::span<const SharingAttempt* const> /*beside*/) const {
    return std::nullopt;
  }
};

/// A law of sharing, with the utilisations of tenants from the step-time model.
///
/// Where tenants take turns on the device, the slowdown is that of a tenant's kernels while it
/// wants the device. The step-time model says what this makes of a step: waits for the host overlap
/// with the turns of others. A replica whose kernels take B alone wants the device for the share
///   B·s ÷ T
/// of the time, if they take s times as long here, and a step of its gang takes T: as slow as its
/// host, its links, its cap and its slowest replica make it. The phases of tenants are taken as
/// independent.
///
/// Laws without turns take the utilisation of solo steps, as live runs do.
class LawOfTenants final : public InterferenceModel {
 public:
  /// `steps` must outlive the model.
  LawOfTenants(const StepTimeModel& steps, BytesPerSecond host_link,
               std::unique_ptr<SharingLaw> law)
      : steps_(steps), spills_(host_link), law_(std::move(law)) {}

  [[nodiscard]] std::string name() const override { return law_->name(); }
  [[nodiscard]] bool active() const override { return law_->active(); }
  [[nodiscard]] bool in_turns() const override { return law_->switching().has_value(); }
  [[nodiscard]] StepCost without_co_tenants(const Attempt& attempt) const override;
  [[nodiscard]] double slowdown(const SharingAttempt& attempt,
                                std::span<const CoTenant> beside) const override;
  [[nodiscard]] bool measures_gangs() const override { return law_->measures_gangs(); }
  /// Of a whole step, the measured factor is on its communication, too, which interference does not
  /// stretch: the rest of the step takes it all.
  [[nodiscard]] std::optional<double> gang_slowdown(
      const SharingAttempt& gang, std::span<const SharingAttempt* const> beside) const override;

 private:
  [[nodiscard]] GpuTenant tenant_of(const SharingAttempt& sharing) const;
  [[nodiscard]] const StepCost& step_in_turns(const SharingAttempt& sharing, double stretch) const;
  /// Sets how much a co-tenant uses the device, and how often it wants it.
  void take_turns(GpuTenant& tenant, const CoTenant& as) const;

  const StepTimeModel& steps_;
  SpillTimes spills_;
  std::unique_ptr<SharingLaw> law_;
};

}  // namespace mimus::emulator
