// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/device.hpp"
#include "kernels/pacing/pace_clock.hpp"

namespace mimus::kernels {

inline constexpr WallInstant kWallNever = WallInstant::max();

/// A device whose streams the host orders: one in-order compute stream and a copy engine. Launches
/// return at once. The stream advances inside progress(), which the step calls while it also looks
/// after communication and control. Nothing here blocks.
class HostOrderedDevice : public Device {
 public:
  [[nodiscard]] std::unique_ptr<TrainingStep> make_step(const GangCollectives& gang,
                                                        const FootprintPlan& plan) override;

  /// The clock of its streams and of those beside them.
  [[nodiscard]] virtual PaceClock& clock() = 0;
  /// From here on host and stream are at `at`: the beginning of a step, or the end of a wait for
  /// communication.
  virtual void align(WallInstant at) = 0;
  /// Appends a segment to the compute stream.
  virtual void launch(const Segment& segment) = 0;
  /// Starts copying `input` bytes to the device on the copy engine at `at`; they are read from
  /// storage meanwhile, for `reading` at least.
  virtual void copy_input(Bytes input, Duration duration, Duration reading, WallInstant at) = 0;
  /// Copies `spilled` bytes between device and host, in the order of the compute stream, whose next
  /// segments begin after that.
  virtual void copy_spilled(Bytes spilled, Duration duration) = 0;
  /// When the started copies are done.
  [[nodiscard]] virtual WallInstant input_ready() const = 0;

  /// Advances the stream as far as `now` allows.
  virtual void progress(WallInstant now) = 0;
  /// Segments completed since construction, and when the last one ended.
  [[nodiscard]] virtual std::int64_t completed() const = 0;
  [[nodiscard]] virtual WallInstant last_completion() const = 0;
  /// Segment `number`, ascending from 1, which has been launched, ends no earlier than this.
  [[nodiscard]] virtual WallInstant no_earlier(std::int64_t /*number*/) const { return wake(); }
  /// When progress() can next achieve something; the past if at once, the far future if idle.
  [[nodiscard]] virtual WallInstant wake() const = 0;
  /// Nothing that it runs can end before this instant, which may be in the past.
  [[nodiscard]] virtual WallInstant due() const { return wake(); }
};

}  // namespace mimus::kernels
