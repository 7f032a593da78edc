// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/promises.hpp"

#include <algorithm>

namespace mimus::scheduler {

const Allocation* promised_place(const std::vector<Promise>& promises, const Rank& rank) {
  const auto found = std::lower_bound(
      promises.begin(), promises.end(), rank,
      [](const Promise& promise, const Rank& wanted) { return promise.rank < wanted; });
  return found != promises.end() && found->rank == rank ? &found->place : nullptr;
}

PromiseKeeper::~PromiseKeeper() {
  for (std::size_t i = 0; i < kept_; ++i) {
    for (const GpuId gpu : promises_[i].gpus) cluster_.offer(gpu);
  }
}

void PromiseKeeper::advance_to(const Rank& rank) {
  for (; kept_ < promises_.size() && promises_[kept_].rank < rank; ++kept_) {
    for (const GpuId gpu : promises_[kept_].gpus) cluster_.withhold(gpu);
    quota_.add(promises_[kept_]);
  }
}

void PromiseKeeper::fulfil(const Rank& rank) {
  std::erase_if(promises_, [&](const Promise& promise) { return promise.rank == rank; });
}

}  // namespace mimus::scheduler
