// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/room.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace mimus::scheduler {

namespace {

/// Ids from here on are not used for attempts.
constexpr AttemptId::value_type kFirstPromised = AttemptId::value_type{1} << 62U;

}  // namespace

Room::~Room() {
  for (const AttemptId promised : promised_) cluster_.release(promised);
  restore_down_to(0);
  for (const GpuId gpu : withheld_) cluster_.offer(gpu);
}

void Room::release(AttemptId attempt) {
  cluster_.vacate(attempt);
  vacated_.push_back(attempt);
}

void Room::restore(AttemptId attempt) {
  const auto found = std::find(vacated_.rbegin(), vacated_.rend(), attempt);
  ensure(found != vacated_.rend(), "an attempt is restored that was not released");
  vacated_.erase(std::prev(found.base()));
  cluster_.reoccupy(attempt);
}

std::optional<Allocation> Room::find(const Allocation* before) const {
  if (before != nullptr) {
    if (auto again = fit_.find_again(request_, *before)) return again;
  }
  return find();
}

void Room::restore_down_to(std::size_t mark) {
  for (; vacated_.size() > mark; vacated_.pop_back()) cluster_.reoccupy(vacated_.back());
}

void Room::promise(JobId job, const Allocation& found) {
  if (found.share < kWholeGpu) {
    const AttemptId id{kFirstPromised + static_cast<AttemptId::value_type>(promised_.size())};
    cluster_.allocate(job, id, found, request_.memory, request_.kind);
    promised_.push_back(id);
    return;
  }
  for (const Slot& slot : found.slots) {
    cluster_.withhold(slot.gpu);
    withheld_.push_back(slot.gpu);
  }
}

int CountingRoom::gpus_of(const JobView& running) const {
  const auto& slots = running.allocation.slots;
  return static_cast<int>(std::count_if(
      slots.begin(), slots.end(), [&](const Slot& slot) { return cluster_.usable(slot.gpu); }));
}

}  // namespace mimus::scheduler
