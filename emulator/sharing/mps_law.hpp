// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// Tenants run side by side, as under NVIDIA's Multi-Process Service. They are slowed by the sum of
/// their utilisations: 1 + slope × (sum − capacity) if that exceeds 1. If tenants of any
/// utilisation slow each other, the capacity is below 0. With slope = 1 ÷ capacity it is sum ÷
/// capacity (Horus, Yeung et al., TPDS 2022, predicts from such sums). Lucid's co-located pairs on
/// an RTX 3090 (ASPLOS 2023) follow capacity 1 and slope 0.52.
///
/// A kernel waits for those of others, so a tenant with short kernels loses more beside one with
/// long ones: the slope of each is multiplied by the mean over the others of (their device time of
/// a micro-batch ÷ its own)^length. That time represents the length of kernels, because their
/// number varies less than their length. With length 0, or if a time is not known, all are slowed
/// equally.
class MpsLaw final : public SharingLaw {
 public:
  struct Settings {
    double capacity = 1.0;  ///< sum of utilisations without slowdown
    double slope = 1.0;
    double length = 0.0;
  };
  explicit MpsLaw(Settings settings) : settings_(settings) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;

  /// The fit to measured pairs on this GPU type; else the fit to all types that were measured.
  [[nodiscard]] static Settings fitted(std::string_view gpu_type);

 private:
  [[nodiscard]] double loss_beside(const GpuTenant& tenant,
                                   std::span<const GpuTenant> beside) const;

  Settings settings_;
};

[[nodiscard]] Choice<SharingLaw> mps_choice(const SharingInputs& inputs);

}  // namespace mimus::emulator
