// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/arrivals.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {

Arrivals::Arrivals(workloads::JobStream& jobs, std::optional<int> at_once)
    : jobs_(jobs), at_once_(at_once) {
  pull(Instant{});
}

void Arrivals::pull(Instant now) {
  next_ = jobs_.next();
  if (next_ && at_once_) next_->arrival = has_room() ? now : kNever;
}

Instant Arrivals::next() const {
  return submitted_.empty() ? stated() : std::min(stated(), submitted_.front().arrival);
}

workloads::Job Arrivals::take(Instant at) {
  ++arrived_;
  if (!submitted_.empty() && submitted_.front().arrival < stated()) {
    workloads::Job job = std::move(submitted_.front());
    submitted_.pop_front();
    return job;
  }
  workloads::Job job = std::move(*next_);
  pull(at);
  return job;
}

void Arrivals::one_left(Instant at) {
  ++left_;
  if (at_once_ && next_ && next_->arrival == kNever && has_room()) next_->arrival = at;
}

void Arrivals::submit(std::vector<workloads::Job>&& jobs, Instant at) {
  for (workloads::Job& job : jobs) {
    job.arrival = at;
    submitted_.push_back(std::move(job));
  }
}

}  // namespace mimus::emulator
