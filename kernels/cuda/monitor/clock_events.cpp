// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/clock_events.hpp"

#include <array>

#include <fmt/format.h>

namespace mimus::kernels::cuda {
namespace {

/// The bits of nvmlClocksEventReasons, from the lowest.
constexpr std::array kNames{
    "gpu_idle",       "applications_clocks", "sw_power_cap",        "hw_slowdown",
    "sync_boost",     "sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake",
    "display_clocks", "board_limit",         "reliability",
};

}  // namespace

std::set<std::string> clock_event_names(unsigned long long mask) {
  std::set<std::string> names;
  for (unsigned bit = 0; mask >> bit != 0; ++bit) {
    if ((mask >> bit & 1U) == 0) continue;
    names.insert(bit < kNames.size() ? kNames[bit] : fmt::format("unknown_{:#x}", 1ULL << bit));
    if (bit == 63) break;  // a shift by 64 is undefined
  }
  return names;
}

}  // namespace mimus::kernels::cuda
