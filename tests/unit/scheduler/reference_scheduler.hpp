// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/books/books.hpp"

namespace mimus::scheduler::test {

/// The scheduler with preemption written down plainly: every pass ranks all running jobs anew,
/// tries every victim by placing the blocked job, and asks every running job when it may yield. Its
/// cost does not matter, its decisions are what the indexed one must decide.
class ReferenceScheduler {
 public:
  ReferenceScheduler(ClusterShape shape, Policy policy);

  [[nodiscard]] Decision on_events(std::span<const Event> events, Instant now);

 private:
  Books books_;
  Instant power_wake_up_ = kNever;
  Instant cache_wake_up_ = kNever;
};

}  // namespace mimus::scheduler::test
