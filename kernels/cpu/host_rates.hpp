// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "base/units.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {

/// Rates of one core of this host on the synthetic kernels.
struct HostRates {
  std::array<FlopPerSecond, kKernelKinds> flop{};  ///< zero for kinds without arithmetic
  std::array<BytesPerSecond, kKernelKinds> traffic{};

  /// CPU time of one core for a segment at full size.
  [[nodiscard]] double cpu_seconds(const Segment& segment) const;
  /// CPU seconds at full size per emulated second of device time, over a whole step.
  [[nodiscard]] double cpu_seconds_per_device_second(const FootprintPlan& plan) const;
};

/// Runs every kernel for `budget` of thread CPU time. CPU time and not wall time, because the host
/// may be busy. The best of several short runs counts, to avoid a hypervisor's pauses.
[[nodiscard]] HostRates measure_host_rates(Duration budget);

/// How many times smaller the executed work is than the footprint, so that the `gpus` emulated GPUs
/// of a host keep at most `load` (0..1) of its `cores` busy when all of them are busy:
///   scale = cpu seconds per device second × time_scale × gpus ÷ (min(cores, gpus) × load),
/// at least 1.
[[nodiscard]] double choose_work_scale(double cpu_seconds_per_device_second, double time_scale,
                                       int gpus, int cores, double load);

}  // namespace mimus::kernels
