// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus::kernels::cuda {

/// Values of GPM, the counters of Hopper and later GPUs, for the time between two samples. Averages
/// over the whole GPU and all its processes. Percentages are of the device's maximum.
struct GpmActivity {
  std::optional<double> sm_activity;      ///< SMs with at least one warp [%]
  std::optional<double> sm_occupancy;     ///< resident warps [%]
  std::optional<double> tensor_activity;  ///< tensor cores busy, any precision [%]
  std::optional<double> dram_bandwidth;   ///< DRAM bandwidth in use [%]
  std::optional<double> fp32_activity;    ///< FP32 units busy, tensor cores not counted [%]
  std::optional<BytesPerSecond> pcie_sent;
  std::optional<BytesPerSecond> pcie_received;
  std::optional<BytesPerSecond> nvlink_sent;      ///< over all links
  std::optional<BytesPerSecond> nvlink_received;  ///< over all links
};

/// A GPU's state at one moment. Values that the device, its driver or the permissions do not
/// provide are absent, never zero.
struct GpuSample {
  WallInstant time{};
  /// As nvidia-smi shows it: the part of the driver's last sample period (1/6 s to 1 s) in which at
  /// least one kernel ran [%]. One warp on one SM counts as 100 %; sm_activity says how full the
  /// GPU was.
  std::optional<double> sm_utilisation;
  /// Part of that period in which device memory was read or written [%]
  std::optional<double> memory_utilisation;
  std::optional<Bytes> memory_used;  ///< by all processes, and reserved by the driver
  /// Of the board [W]: the mean of the last second on GPUs after the A100, before that the present
  /// draw
  std::optional<double> power;
  std::optional<double> energy;        ///< since the monitor's first sample [J]
  std::optional<double> sm_clock;      ///< [Hz]
  std::optional<double> memory_clock;  ///< [Hz]
  std::optional<double> temperature;   ///< of the die [°C]
  /// Why clocks are below their maximum; empty if nothing limits them. See clock_events.hpp.
  std::optional<std::set<std::string>> clock_events;
  GpmActivity gpm;
};

/// A value that a sample does not have.
struct MissingMetric {
  std::string metric;  ///< name of the member of GpuSample or GpmActivity
  std::string reason;
};

}  // namespace mimus::kernels::cuda
