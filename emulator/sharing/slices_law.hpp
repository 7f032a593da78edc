// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// Tenants take turns on the device by equal time slices, the default of GPUs. The device's time is
/// divided max-min fairly: a tenant that asks for u of it and gets c is slowed by u/c. Two tenants
/// that saturate it take twice as long. One that asks for less than its share is not slowed at all.
/// While at least two are busy, every slice is longer by its share `switching`.
class SlicesLaw final : public SharingLaw {
 public:
  struct Settings {
    double switching = 0.0;  ///< part of a slice
  };
  explicit SlicesLaw(Settings settings) : settings_(settings) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;
  [[nodiscard]] std::optional<double> switching() const override { return settings_.switching; }

 private:
  /// Of a tenant that asks for `own`, beside those that compute at the same time.
  [[nodiscard]] double slowdown_among(double own, std::vector<double> asked) const;

  Settings settings_;
};

[[nodiscard]] Choice<SharingLaw> slices_choice();

}  // namespace mimus::emulator
