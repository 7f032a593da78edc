// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace mimus::emulator {

/// The instant of an event and its order at that instant: by kind, then by id.
struct EventKey {
  Instant at{};
  std::int64_t kind = 0;
  std::int64_t id = 0;
  auto operator<=>(const EventKey&) const = default;
};

/// A 4-ary heap of events with at most one event per slot, so that an event can be moved or
/// removed. O(log n) per change, no allocation once it has grown.
class EventHeap {
 public:
  using Slot = std::uint32_t;

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] const EventKey& first() const { return heap_.front().key; }
  [[nodiscard]] Slot first_slot() const { return heap_.front().slot; }

  /// Gives the slot this event, instead of its present one.
  void set(Slot slot, const EventKey& key);
  /// Removes the slot's event; no effect if it has none.
  void remove(Slot slot);

 private:
  struct Entry {
    EventKey key;
    Slot slot = 0;
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr std::size_t kArity = 4;

  void place(std::size_t index, const Entry& entry);
  void sift_up(std::size_t index, const Entry& entry);
  void sift_down(std::size_t index, const Entry& entry);
  void settle(std::size_t index, const Entry& entry);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> index_of_;  ///< by slot
};

}  // namespace mimus::emulator
