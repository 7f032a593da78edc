// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/kernel_class.hpp"

namespace mimus::kernels {

/// Operations of one kind and size of a gang, timed by the device, in wall time.
struct CollectiveTimes {
  CollectiveOp op = CollectiveOp::all_reduce;
  std::int64_t bytes = 0;     ///< of the larger of a rank's two buffers, as nccl-tests counts
  std::int64_t replicas = 1;  ///< that took part
  std::int64_t operations = 0;
  Duration measured{};         ///< sum
  std::int64_t estimates = 0;  ///< operations that the library gave an estimate of
  Duration estimated{};        ///< sum of those

  bool operator==(const CollectiveTimes&) const = default;
};

/// Kernels of one class, traced by the device, in wall time.
struct KernelTimes {
  cuda::KernelClass kernel_class = cuda::KernelClass::other;
  std::int64_t launches = 0;
  Duration time{};  ///< sum of the kernels' durations

  bool operator==(const KernelTimes&) const = default;
};

/// Measurements of a device for an attempt besides its steps. Empty from devices that do not
/// measure.
struct DeviceReport {
  std::vector<CollectiveTimes> collectives;  ///< ordered by op, bytes, replicas; each once
  std::vector<KernelTimes> kernels;          ///< ordered by class; each once
  std::int64_t traced_steps = 0;             ///< optimiser steps whose kernels were traced
  std::int64_t dropped_kernels = 0;          ///< that the trace lost
  std::int64_t graph_kernels = 0;            ///< of a captured step, including the libraries' own
  std::int64_t held_bytes = 0;  ///< of device memory, including the libraries' workspace

  /// Adds operations that took equally long.
  void add(CollectiveOp op, std::int64_t bytes, std::int64_t replicas, Duration measured,
           std::optional<Duration> estimated, std::int64_t operations = 1);
  /// Adds launches of one class.
  void add(cuda::KernelClass kernel_class, std::int64_t launches, Duration time);

  bool operator==(const DeviceReport&) const = default;
};

}  // namespace mimus::kernels
