// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/time.hpp"

namespace mimus::kernels {

/// Bounds the share of the time for which a tenant's kernels are on its device: device time comes
/// in at the rate of the cap, and is used up by kernels. What is left unused while the device waits
/// for the host is saved up, to a limit, so that a tenant that asks for less than its cap is not
/// slowed.
class DeviceCap {
 public:
  /// Emulated time that may be saved up: longer than most steps wait for the host.
  static constexpr Duration kSavedUp = std::chrono::seconds{1};

  /// From `at` on, with nothing saved up. `share` in (0, 1]; 1 bounds nothing.
  void set(double share, WallInstant at) {
    share_ = share;
    earliest_ = at;
  }
  [[nodiscard]] bool bounds() const { return share_ < 1.0; }
  /// Nothing begins before this.
  [[nodiscard]] WallInstant earliest() const { return earliest_; }
  /// Nothing is saved up before `at`: the tenant runs no kernels at all.
  void idle_until(WallInstant at) { earliest_ = std::max(earliest_, at); }
  /// Kernels are on the device for `time` from `begin` on. `most`: time that may be saved up.
  void use(WallInstant begin, Duration time, Duration most) {
    if (bounds()) earliest_ = std::max(earliest_, begin - most) + scale(time, 1.0 / share_);
  }

 private:
  double share_ = 1.0;
  WallInstant earliest_{};
};

}  // namespace mimus::kernels
