// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/time.hpp"
#include "kernels/collective.hpp"
#include "kernels/device_report.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels {

/// How the emulated step maps to the wall clock. `steps` optimiser steps are executed as one longer
/// step if a single step would be too short for the host's timers.
struct StepStretch {
  int steps = 1;
  double wall_per_emulated = 1.0;  ///< wall seconds per emulated second of one step × steps
};

/// One GPU as a replica sees it: memory, and steps that run on it.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Description for people, e.g. "emulated T4 on 0.25 cores".
  [[nodiscard]] virtual std::string description() const = 0;
  /// False for a device that is paced to a datasheet; its steps are divided by the work scale.
  [[nodiscard]] virtual bool runs_at_full_size() const { return false; }

  /// Takes device memory for a replica and frees what was held before. Throws OutOfMemoryError
  /// naming need, use and capacity, with nothing held.
  virtual void reserve(const FootprintPlan& plan) = 0;
  virtual void release() noexcept = 0;
  /// Gives back the replica's memory, apart from `amount` bytes: those of its state, or none. It
  /// runs no steps until reserve() has taken what they need. Devices that run at full size copy a
  /// state that they do not keep to host memory, and back in reserve(). OutOfMemoryError if the
  /// host has no room for it.
  virtual void keep(Bytes amount) = 0;
  /// The replica runs kernels from `at` on, by the pace clock, and none before. On emulated
  /// devices, other tenants wait from then on until it says what it does next.
  virtual void busy_from(WallInstant /*at*/) noexcept {}
  /// A replica that runs kernels begins none before `at` that it has not launched.
  virtual void quiet_until(WallInstant /*at*/) noexcept {}
  /// The replica runs no kernels from `at` on, by the pace clock. Neighbours on emulated devices
  /// see this.
  virtual void idle_from(WallInstant /*at*/) noexcept {}

  virtual void set_stretch(const StepStretch& stretch) = 0;
  /// Kernels of the replica are on the device for at most this share of the time from `at` on, by
  /// the pace clock, (0, 1]. On devices that are not paced its stream is busy for at most this
  /// share, by delaying steps.
  virtual void set_cap(double share, WallInstant at) = 0;
  /// Steps of `plan`, whose memory must be reserved when they run. The collectives must be of the
  /// device's kind. Device, collectives and plan outlive the step.
  [[nodiscard]] virtual std::unique_ptr<TrainingStep> make_step(const GangCollectives& gang,
                                                                const FootprintPlan& plan) = 0;

  /// Wall time for which this replica's kernels were resident, since construction.
  [[nodiscard]] virtual Duration busy() const = 0;
  /// Replicas of other jobs that run kernels on the GPU at present. A replica that is still
  /// starting up holds memory but does not count.
  [[nodiscard]] virtual int co_tenants() const = 0;
  /// Measurements besides steps since the last call. Called once per attempt, while its steps and
  /// its collective still exist.
  [[nodiscard]] virtual DeviceReport take_report() { return {}; }
};

}  // namespace mimus::kernels
