// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/time.hpp"
#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// What decides how much a model's kernels and those of others wait for each other.
struct KernelLoad {
  Duration length{};      ///< mean time of a kernel alone on the device
  double activity = 1.0;  ///< share of the multiprocessors that the model keeps active, 0..1
};
/// By model and per-GPU batch.
using KernelLoads = std::map<std::string, std::map<std::int64_t, KernelLoad>>;

/// Reads measurements of models alone from a profile: device time ÷ kernels, activity of the
/// multiprocessors (1 if the device does not report it). Throws IoError; ConfigError if no row
/// counts kernels, footprints have changed since, or it is of another GPU type than `gpu`.
[[nodiscard]] KernelLoads read_kernel_loads(const std::string& path,
                                            const workloads::ModelCatalogue* models,
                                            const std::string& gpu);

/// Tenants run side by side under MPS, and a kernel waits for the kernels of others, so that short
/// kernels suffer beside long ones and not the reverse:
///   slowdown of i = 1 + weight · Σⱼ activityⱼ^a · (lengthⱼ ÷ lengthᵢ)^l
/// The form and its constants are Mimus's own, fitted to pairs on an H100 (docs/validity.md, "Side
/// by side under MPS").
class KernelsLaw final : public SharingLaw {
 public:
  struct Settings {
    double weight = 0.83;
    double length_exponent = 0.72;   ///< l
    double activity_exponent = 0.7;  ///< a
  };
  KernelsLaw(Settings settings, KernelLoads loads, const workloads::ModelCatalogue* models)
      : settings_(settings), loads_(std::move(loads)), models_(models) {}

  [[nodiscard]] std::string name() const override;
  /// Throws UsageError naming a model that was not measured.
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;

 private:
  [[nodiscard]] const KernelLoad& load_of(const GpuTenant& tenant) const;

  Settings settings_;
  KernelLoads loads_;
  const workloads::ModelCatalogue* models_;
};

[[nodiscard]] Choice<SharingLaw> kernels_choice(const SharingInputs& inputs);

}  // namespace mimus::emulator
