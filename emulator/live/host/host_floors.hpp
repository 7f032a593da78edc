// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/pacing/pace_clock.hpp"

namespace mimus::emulator {

/// Rank 0's knowledge of every host's clock, in ns of the world's clock. Messages of workers and
/// reports of hosts arrive on different paths, so a report counts when rank 0 has read as many
/// messages as had been sent when it was made. Until then the previous report counts.
class HostFloors {
 public:
  explicit HostFloors(int hosts) : hosts_(static_cast<std::size_t>(hosts)) {}

  [[nodiscard]] int count() const { return static_cast<int>(hosts_.size()); }
  /// A rank of `host` is sent something to do.
  void given(int host) { ++at(host).given; }
  /// A message that a rank of `host` had announced to the clock has been read.
  void heard(int host);
  void report(int host, const kernels::PaceClock::Report& report);
  /// A rank of `host` is dead that was given() and heard() this often: its reports leave it out.
  void forget(int host, std::int64_t given, std::int64_t heard);
  /// All ranks of `host` are dead: it no longer holds the others.
  void lose(int host);

  /// Least promise of `host`; kWallEnd where no rank is known to work.
  [[nodiscard]] std::int64_t least(int host) const {
    return hosts_[static_cast<std::size_t>(host)].known.least_ns;
  }
  /// Of all hosts but `host`, without rank 0's own.
  [[nodiscard]] std::int64_t least_of_others(int host) const;
  /// Whether `host` has taken up all that it was given, and least() includes it.
  [[nodiscard]] bool has_taken_up(int host) const;

 private:
  struct Host {
    kernels::PaceClock::Report known{.least_ns = kernels::PaceClock::kWallEnd};
    std::optional<kernels::PaceClock::Report> latest;  ///< that does not count yet
    std::int64_t given = 0;
    std::int64_t heard = 0;
    bool lost = false;
  };
  [[nodiscard]] Host& at(int host) { return hosts_[static_cast<std::size_t>(host)]; }
  static void apply(Host& host);

  std::vector<Host> hosts_;
};

}  // namespace mimus::emulator
