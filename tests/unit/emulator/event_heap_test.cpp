// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/event_heap.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::emulator {
namespace {

EventKey at(std::int64_t seconds, std::int64_t kind = 0, std::int64_t id = 0) {
  return {Instant{std::chrono::seconds{seconds}}, kind, id};
}

TEST(EventHeapTest, TakesTheEarliestThenTheKindThenTheId) {
  EventHeap heap;
  heap.set(0, at(2));
  heap.set(1, at(1, 1, 7));
  heap.set(2, at(1, 0, 9));
  heap.set(3, at(1, 1, 6));

  std::vector<EventHeap::Slot> order;
  while (!heap.empty()) {
    order.push_back(heap.first_slot());
    heap.remove(heap.first_slot());
  }
  EXPECT_EQ(order, (std::vector<EventHeap::Slot>{2, 3, 1, 0}));
}

TEST(EventHeapTest, ASlotHasOneEventWhichCanBeMoved) {
  EventHeap heap;
  heap.set(4, at(5));
  heap.set(9, at(6));
  heap.set(4, at(7));

  EXPECT_EQ(heap.size(), 2U);
  EXPECT_EQ(heap.first_slot(), 9U);
  heap.remove(9);
  heap.remove(9);  // it has no event any more
  EXPECT_EQ(heap.first(), at(7));
}

TEST(EventHeapTest, AgreesWithAnOrderedMapUnderRandomChanges) {
  RandomStream random(3, "heap");
  EventHeap heap;
  std::map<EventHeap::Slot, EventKey> model;
  for (int i = 0; i < 20'000; ++i) {
    const auto slot = static_cast<EventHeap::Slot>(random.below(200));
    if (random.below(3) == 0) {
      heap.remove(slot);
      model.erase(slot);
    } else {
      const auto key = at(static_cast<std::int64_t>(random.below(50)), 0, slot);
      heap.set(slot, key);
      model[slot] = key;
    }
    ASSERT_EQ(heap.size(), model.size());
    if (model.empty()) continue;
    const auto first = std::min_element(model.begin(), model.end(),
                                        [](auto& a, auto& b) { return a.second < b.second; });
    ASSERT_EQ(heap.first(), first->second);
    ASSERT_EQ(heap.first_slot(), first->first);
  }
}

}  // namespace
}  // namespace mimus::emulator
