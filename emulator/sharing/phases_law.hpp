// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// Tenants pass the resources of their gang on to each other, so that each of them completes one
/// iteration in the period that the stages of all need (Muri, Zhao et al., SIGCOMM'22; formula and
/// measured losses: scheduler/planner/muri/stage_period.hpp). A tenant without stated stages
/// computes for its device time and does nothing else. With more than four tenants the slowdown is
/// that of the first four times their number over four.
class PhasesLaw final : public SharingLaw {
 public:
  [[nodiscard]] std::string name() const override { return "phases"; }
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;
};

[[nodiscard]] Choice<SharingLaw> phases_choice();

}  // namespace mimus::emulator
