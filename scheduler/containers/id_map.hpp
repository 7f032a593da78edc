// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace mimus::scheduler {

/// Values by id in one flat array (open addressing with linear probing, at most half full). Its
/// size is bounded by the largest number of ids at one time, however large the ids become.
/// Multiplying by 2^64 over the golden ratio spreads ids that count up evenly (Knuth, The Art of
/// Computer Programming, vol. 3, §6.4). Pointers to values are valid until the next change.
template <class Id, class Value>
class IdMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Number of ids for which there is memory.
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }

  [[nodiscard]] const Value* find(Id id) const {
    if (slots_.empty() || !id) return nullptr;
    const Slot& slot = slots_[slot_of(id)];
    return slot.id == id ? &slot.value : nullptr;
  }
  [[nodiscard]] Value* find(Id id) {
    if (slots_.empty() || !id) return nullptr;
    Slot& slot = slots_[slot_of(id)];
    return slot.id == id ? &slot.value : nullptr;
  }

  /// InternalError when the id is not there.
  [[nodiscard]] const Value& at(Id id) const {
    const Value* found = find(id);
    ensure(found != nullptr, "an id is looked up that is not in the map");
    return *found;
  }

  /// False, and nothing is changed, when the id is there already.
  bool insert(Id id, Value value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(id)];
    if (slot.id == id) return false;
    slot.id = id;
    slot.value = std::move(value);
    ++size_;
    return true;
  }

  /// Inserts the value or replaces the present one.
  void assign(Id id, Value value) {
    if (Value* found = find(id)) {
      *found = std::move(value);
    } else {
      insert(id, std::move(value));
    }
  }

  /// False when the id is not there.
  bool erase(Id id) {
    if (slots_.empty() || !id) return false;
    std::size_t hole = slot_of(id);
    if (slots_[hole].id != id) return false;
    for (std::size_t next = step(hole); slots_[next].id; next = step(next)) {
      // Moves up what would not be found any more beyond the hole.
      const std::size_t distance = (next - home_of(slots_[next].id)) & mask();
      if (distance < ((next - hole) & mask())) continue;
      slots_[hole] = std::move(slots_[next]);
      hole = next;
    }
    slots_[hole] = Slot{};
    --size_;
    return true;
  }

  /// Visits (id, value) in no particular order, which is the same for equal histories.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.id) visit(slot.id, slot.value);
    }
  }

 private:
  struct Slot {
    Id id;
    Value value{};
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t step(std::size_t slot) const { return (slot + 1) & mask(); }
  [[nodiscard]] std::size_t home_of(Id id) const {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(id.value()) * kGolden) >> shift_);
  }
  /// The slot of the id, or the empty slot where it would be.
  [[nodiscard]] std::size_t slot_of(Id id) const {
    std::size_t slot = home_of(id);
    while (slots_[slot].id && slots_[slot].id != id) slot = step(slot);
    return slot;
  }
  void grow() {
    std::vector<Slot> old = std::exchange(slots_, {});
    slots_.resize(old.empty() ? 16 : 2 * old.size());
    shift_ = 64 - std::countr_zero(slots_.size());
    for (Slot& slot : old) {
      if (slot.id) slots_[slot_of(slot.id)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of them
  int shift_ = 64;
  std::size_t size_ = 0;
};

}  // namespace mimus::scheduler
