// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// Tenants take turns on the device by equal time slices, the default of GPUs. A tenant that asks
/// for u of its time and gets c is slowed by u/c. The time is divided max-min fairly by what
/// tenants use of it. Two that saturate it take twice as long, and one that asks for less than its
/// share is not slowed at all. While others do not want the device a tenant has more of it: its
/// mean share over their phases, which are independent. While at least two are busy, every slice is
/// longer by its share `switching`.
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
  Settings settings_;
};

[[nodiscard]] Choice<SharingLaw> slices_choice();

}  // namespace mimus::emulator
