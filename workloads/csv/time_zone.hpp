// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"

namespace mimus::workloads {

/// A zone of the system's time-zone database, such as "America/New_York".
class TimeZone {
 public:
  /// Throws UsageError naming the nearest match when the database has no such zone, or saying that
  /// there is no database.
  explicit TimeZone(const std::string& name);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// What clocks there showed, counted as if it were UTC, in UTC. A time that was shown twice, as
  /// clocks were set back, is the first of the two; nothing for one that was never shown, as clocks
  /// were set forward.
  [[nodiscard]] std::optional<Duration> to_utc(Duration shown) const;

 private:
  std::string name_;
  const void* zone_;  ///< of the database, which lasts as long as the process
};

}  // namespace mimus::workloads
