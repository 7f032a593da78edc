// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::scheduler {

/// An amount of a node's CPU cores and memory, in whole units, so that sums are exact.
struct HostNeed {
  std::int64_t milli_cores = 0;  ///< thousandths of a core
  std::int64_t memory = 0;       ///< [bytes]

  [[nodiscard]] constexpr bool any() const { return milli_cores > 0 || memory > 0; }
  [[nodiscard]] constexpr bool within(const HostNeed& free) const {
    return milli_cores <= free.milli_cores && memory <= free.memory;
  }
  /// The part of the `i`-th of `n` replicas. Parts differ by at most one unit and add up to all of
  /// it.
  [[nodiscard]] constexpr HostNeed part(std::int64_t i, std::int64_t n) const {
    return {milli_cores * (i + 1) / n - milli_cores * i / n, memory * (i + 1) / n - memory * i / n};
  }
  /// The largest part of one of `n` replicas.
  [[nodiscard]] constexpr HostNeed largest_part(std::int64_t n) const {
    return {(milli_cores + n - 1) / n, (memory + n - 1) / n};
  }

  constexpr HostNeed& operator+=(const HostNeed& o) {
    milli_cores += o.milli_cores;
    memory += o.memory;
    return *this;
  }
  constexpr HostNeed& operator-=(const HostNeed& o) {
    milli_cores -= o.milli_cores;
    memory -= o.memory;
    return *this;
  }
  bool operator==(const HostNeed&) const = default;
};

}  // namespace mimus::scheduler
