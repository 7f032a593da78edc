// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/room.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::scheduler {

Room::~Room() {
  restore_down_to(0);
  for (const GpuId gpu : withheld_) cluster_.offer(gpu);
}

void Room::release(AttemptId attempt) {
  cluster_.vacate(attempt);
  vacated_.push_back(attempt);
}

void Room::restore(AttemptId attempt) {
  const auto found = std::find(vacated_.begin(), vacated_.end(), attempt);
  ensure(found != vacated_.end(), "an attempt is restored that was not released");
  vacated_.erase(found);
  cluster_.reoccupy(attempt);
}

void Room::restore_down_to(std::size_t mark) {
  for (; vacated_.size() > mark; vacated_.pop_back()) cluster_.reoccupy(vacated_.back());
}

void Room::withhold(GpuId gpu) {
  cluster_.withhold(gpu);
  withheld_.push_back(gpu);
}

}  // namespace mimus::scheduler
