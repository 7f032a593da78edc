// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "scheduler/containers/id_map.hpp"

namespace mimus::scheduler {

/// Values by id that keep their address. The place of a removed value is reused: memory is bounded
/// by the largest number of values at one time, and a value costs no allocation of its own.
template <class Id, class Value>
class IdPool {
 public:
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool empty() const { return places_.size() == 0; }

  /// Null when the id is not in.
  [[nodiscard]] Value* find(Id id) {
    Place* const* found = places_.find(id);
    return found == nullptr ? nullptr : &***found;
  }
  [[nodiscard]] const Value* find(Id id) const {
    Place* const* found = places_.find(id);
    return found == nullptr ? nullptr : &***found;
  }
  /// InternalError when the id is not in.
  [[nodiscard]] Value& at(Id id) { return **places_.at(id); }
  [[nodiscard]] const Value& at(Id id) const { return **places_.at(id); }

  /// Constructs a value from `arguments`. Throws InternalError if the id is present.
  template <class... Arguments>
  Value& emplace(Id id, Arguments&&... arguments) {
    ensure(places_.find(id) == nullptr, "an id is put in that is there already");
    if (unused_.empty()) unused_.push_back(&storage_.emplace_back());
    Place* place = unused_.back();
    Value& value = place->emplace(std::forward<Arguments>(arguments)...);
    places_.insert(id, place);
    unused_.pop_back();
    return value;
  }

  /// InternalError when the id is not in.
  void erase(Id id) {
    Place* place = places_.at(id);
    places_.erase(id);
    place->reset();
    unused_.push_back(place);
  }

  void clear() {
    places_ = {};
    unused_.clear();
    storage_.clear();
  }

  /// Visits (id, value) in no particular order, which is the same for equal histories.
  template <class Visit>
  void for_each(Visit&& visit) const {
    places_.for_each([&](Id id, Place* place) { visit(id, **place); });
  }

  /// Ascending. Costs n log n.
  [[nodiscard]] std::vector<Id> ids() const {
    std::vector<Id> all;
    all.reserve(size());
    places_.for_each([&](Id id, Place*) { all.push_back(id); });
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  using Place = std::optional<Value>;
  std::deque<Place> storage_;
  std::vector<Place*> unused_;
  IdMap<Id, Place*> places_;
};

}  // namespace mimus::scheduler
