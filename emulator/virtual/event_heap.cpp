// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/event_heap.hpp"

#include <algorithm>

namespace mimus::emulator {

void EventHeap::set(Slot slot, const EventKey& key) {
  if (slot >= index_of_.size()) index_of_.resize(slot + 1, kNowhere);
  if (index_of_[slot] == kNowhere) {
    heap_.emplace_back();
    sift_up(heap_.size() - 1, {key, slot});
  } else {
    settle(index_of_[slot], {key, slot});
  }
}

void EventHeap::remove(Slot slot) {
  if (slot >= index_of_.size() || index_of_[slot] == kNowhere) return;
  const std::size_t hole = index_of_[slot];
  index_of_[slot] = kNowhere;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (hole < heap_.size()) settle(hole, last);
}

void EventHeap::place(std::size_t index, const Entry& entry) {
  heap_[index] = entry;
  index_of_[entry.slot] = static_cast<std::uint32_t>(index);
}

void EventHeap::settle(std::size_t index, const Entry& entry) {
  const bool rises = index > 0 && entry.key < heap_[(index - 1) / kArity].key;
  rises ? sift_up(index, entry) : sift_down(index, entry);
}

void EventHeap::sift_up(std::size_t index, const Entry& entry) {
  while (index > 0) {
    const std::size_t parent = (index - 1) / kArity;
    if (!(entry.key < heap_[parent].key)) break;
    place(index, heap_[parent]);
    index = parent;
  }
  place(index, entry);
}

void EventHeap::sift_down(std::size_t index, const Entry& entry) {
  while (true) {
    const std::size_t begin = index * kArity + 1;
    if (begin >= heap_.size()) break;
    const std::size_t end = std::min(begin + kArity, heap_.size());
    std::size_t least = begin;
    for (std::size_t child = begin + 1; child < end; ++child) {
      if (heap_[child].key < heap_[least].key) least = child;
    }
    if (!(heap_[least].key < entry.key)) break;
    place(index, heap_[least]);
    index = least;
  }
  place(index, entry);
}

}  // namespace mimus::emulator
