// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace mimus::kernels::cuda {

/// Names of the reasons in an NVML mask of clock events (once called throttle reasons):
/// `gpu_idle`, `applications_clocks`, `sw_power_cap`, `hw_slowdown`, `sync_boost`,
/// `sw_thermal_slowdown`, `hw_thermal_slowdown`, `hw_power_brake`, `display_clocks`, `board_limit`,
/// `reliability`; a bit that is newer than this list is `unknown_0x...`.
[[nodiscard]] std::set<std::string> clock_event_names(unsigned long long mask);

}  // namespace mimus::kernels::cuda
