// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "base/units.hpp"

namespace mimus::scheduler {

/// What an attempt may use of each of its GPUs.
struct DeviceLimits {
  /// Share of the time for which its kernels may be there, (0, 1]. An attempt that asks for less is
  /// not slowed by it.
  double cap = 1.0;
  /// Device memory of a replica, above 0; nothing: as much as it needs. What exceeds it is in the
  /// host's memory and crosses the host link once per micro-batch.
  std::optional<Bytes> memory{};

  /// Memory of a replica that needs `need` on the device, and the rest.
  [[nodiscard]] Bytes on_device(Bytes need) const {
    return memory ? std::min(need, *memory) : need;
  }
  [[nodiscard]] Bytes spilled(Bytes need) const { return need - on_device(need); }
  bool operator==(const DeviceLimits&) const = default;
};

}  // namespace mimus::scheduler
