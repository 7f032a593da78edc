// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::results {

// Rows of the measurements of physical devices; see rows.hpp.

/// Values that a physical device measured at one moment; -1 (and "" for a text) if device, driver
/// or permissions do not give a value.
struct DeviceSampleRow {
  double time = 0;
  std::int64_t gpu = -1;  ///< first GPU of the cluster that the device stands for
  std::string host;
  std::int64_t device = -1;  ///< CUDA's ordinal on that host
  double sm_utilisation = -1;
  double memory_utilisation = -1;
  double memory_used = -1;
  double power = -1;
  double energy = -1;  ///< since the first sample
  double sm_clock = -1;
  double memory_clock = -1;
  double temperature = -1;
  double sm_activity = -1;
  double sm_occupancy = -1;
  double tensor_activity = -1;
  double dram_activity = -1;
  double fp32_activity = -1;
  double pcie_sent = -1;
  double pcie_received = -1;
  double nvlink_sent = -1;
  double nvlink_received = -1;
  std::string clock_events;  ///< sorted, joined by "+"; none: nothing holds the clocks back
};

/// Energy of a physical device or an emulated GPU over the cell.
struct EnergyRow {
  std::int64_t gpu = -1;  ///< first GPU of the cluster that the device stands for
  std::int64_t node = -1;
  std::string host;
  std::int64_t device = -1;
  double span = 0;  ///< wall time; of an emulated GPU emulated time
  double joules = -1;
  double mean_power = -1;
  std::string source;  ///< counter | power | none | modelled | modelled_held
};

/// Operations of one kind and size of an attempt's gang, as its lead's device timed them.
struct CollectiveRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  std::string op;
  std::int64_t bytes = 0;
  std::int64_t replicas = 0;
  std::int64_t operations = 0;
  double seconds_mean = 0;       ///< wall time
  double seconds_estimate = -1;  ///< the library's own
  double algorithm_bandwidth = 0;
  double bus_bandwidth = 0;
  std::string kind;  ///< nccl | ring
};

/// Kernels of one class in the traced steps of an attempt, on its lead's device.
struct KernelTimeRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  std::string kernel_class;
  std::int64_t launches = 0;
  double seconds = 0;  ///< Σ of the kernels' durations, wall time
  std::int64_t steps = 0;
  double launches_per_step = 0;
  double seconds_per_step = 0;
  std::int64_t dropped = 0;
};

}  // namespace mimus::results
