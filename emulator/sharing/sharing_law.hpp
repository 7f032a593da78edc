// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/registry.hpp"
#include "base/time.hpp"
#include "scheduler/jobs/stage_times.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// The properties of a tenant of a GPU that matter to other tenants.
struct GpuTenant {
  /// Device time ÷ step time when it is alone, 0..1. Under a law with turns, that of a co-tenant as
  /// it is slowed, and 1 for the tenant itself, while its kernels want the device.
  double utilisation = 0.0;
  std::string_view model;  ///< its name; empty for none
  std::int64_t batch = 0;  ///< per GPU; 0 for unknown
  Duration device_time{};  ///< of one micro-batch; 0 for unknown
  /// Of an iteration where it is alone; nothing where its user does not state them.
  std::optional<scheduler::StageTimes> stages{};
  /// Share of the time for which its kernels want the device, 0..1, where it is a co-tenant under a
  /// law with turns.
  double presence = 1.0;
};

/// How much tenants of one GPU slow each other, in either engine.
class SharingLaw {
 public:
  virtual ~SharingLaw() = default;
  /// The mode and its parameters, for the results.
  [[nodiscard]] virtual std::string name() const = 0;
  /// False if co-tenants never matter; then nothing else is called.
  [[nodiscard]] virtual bool active() const { return true; }
  /// Factor (>= 1) on the compute time of `tenant` on one GPU that it shares with `beside`, or for
  /// laws with turns on the time of kernels that take the share `tenant.utilisation` alone. A gang
  /// is as slow as its slowest replica, so the caller takes the largest factor over its GPUs.
  [[nodiscard]] virtual double slowdown(const GpuTenant& tenant,
                                        std::span<const GpuTenant> beside) const = 0;
  /// Whether gang_slowdown() may know any.
  [[nodiscard]] virtual bool measures_gangs() const { return false; }
  /// Factor (>= 1) on the step of a gang that was measured beside co-tenants of these models, in
  /// alphabetical order, each on any of its GPUs. Nothing if none was.
  [[nodiscard]] virtual std::optional<double> gang_slowdown(
      const GpuTenant& /*gang*/, std::span<const std::string_view> /*beside*/) const {
    return std::nullopt;
  }
  /// The part of a time slice that a change of tenant costs, if tenants take turns on the device;
  /// nothing if they run side by side. For engines whose tenants really take turns.
  [[nodiscard]] virtual std::optional<double> switching() const { return std::nullopt; }
};

/// The inputs of a law.
struct SharingInputs {
  const workloads::ModelCatalogue* models = nullptr;  ///< null: footprints are not checked
  std::string gpu_type;
};

/// `none`, `slices`, `mps`, `kernels`, `pairs`, `phases`.
[[nodiscard]] Registry<SharingLaw> sharing_laws(const SharingInputs& inputs);

/// The law that `engine.interference` names. Throws ConfigError.
[[nodiscard]] std::unique_ptr<SharingLaw> make_sharing_law(const ConfigNode& node,
                                                           const SharingInputs& inputs);

}  // namespace mimus::emulator
