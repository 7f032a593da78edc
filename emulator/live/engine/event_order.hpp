// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/time.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// Messages of workers in the order of the events that they report, equal ones by rank. Messages of
/// one rank keep the order in which it sent them.
class EventOrder {
 public:
  /// On the clock of the ranks.
  void add(WallInstant at, Envelope envelope);
  [[nodiscard]] bool empty() const { return heard_.empty(); }
  /// When the first one happened; the far future if there is none.
  [[nodiscard]] WallInstant first() const;
  [[nodiscard]] Envelope take_first();

 private:
  struct Heard {
    WallInstant at;
    Envelope envelope;
  };
  std::deque<Heard> heard_;
};

}  // namespace mimus::emulator
