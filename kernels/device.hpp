// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/footprint_plan.hpp"

namespace mimus::kernels {

/// How the emulated step maps onto the wall clock. `steps` optimiser steps are executed as one
/// longer one when a single step would be too short for the host's timers.
struct StepStretch {
  int steps = 1;
  double wall_per_emulated = 1.0;  ///< wall seconds per emulated second of one step × steps
};

/// One GPU as a replica sees it: memory, one in-order compute stream, a copy engine. Launches
/// return at once; the stream moves on inside progress(), which the training step calls while it
/// also looks after communication and control. Nothing here blocks.
class Device {
 public:
  virtual ~Device() = default;

  /// For people, e.g. "emulated T4 on 0.25 cores".
  [[nodiscard]] virtual std::string description() const = 0;

  /// Takes device memory for a replica. OutOfMemoryError naming need, use and capacity.
  virtual void reserve(Bytes amount) = 0;
  virtual void release() noexcept = 0;

  virtual void set_stretch(const StepStretch& stretch) = 0;
  /// From here on host and stream are at `at`: beginning of a step, or a wait for communication.
  virtual void align(WallInstant at) = 0;
  /// Appends a segment to the compute stream.
  virtual void launch(const Segment& segment) = 0;
  /// Starts copying `input` bytes to the device on the copy engine at `at`.
  virtual void copy_input(Bytes input, Duration duration, WallInstant at) = 0;
  /// When the copies that were started are done.
  [[nodiscard]] virtual WallInstant input_ready() const = 0;

  /// Moves the stream as far as `now` allows.
  virtual void progress(WallInstant now) = 0;
  /// Segments completed since construction, and when the last one ended.
  [[nodiscard]] virtual std::int64_t completed() const = 0;
  [[nodiscard]] virtual WallInstant last_completion() const = 0;
  /// When progress() can next achieve anything; the past if at once, the far future if idle.
  [[nodiscard]] virtual WallInstant wake() const = 0;

  /// Wall time for which this replica's kernels were resident, since construction.
  [[nodiscard]] virtual Duration busy() const = 0;
  /// Replicas of other jobs that run kernels on the GPU at present; one that is still starting up
  /// holds memory but does not count.
  [[nodiscard]] virtual int co_tenants() const = 0;
};

inline constexpr WallInstant kWallNever = WallInstant::max();

}  // namespace mimus::kernels
