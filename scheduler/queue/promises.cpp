// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/promises.hpp"

namespace mimus::scheduler {

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
