// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <utility>

#include "emulator/engine.hpp"

namespace mimus::emulator {

/// Running attempts with a known instant of failure.
class FailingAttempts {
 public:
  /// No effect for an attempt without such an instant.
  void add(const Attempt& attempt) {
    if (attempt.fail_at != kNever) due_.emplace(attempt.fail_at, attempt.id);
  }
  void remove(const Attempt& attempt) { due_.erase({attempt.fail_at, attempt.id}); }
  /// The instant of the first failure; kNever: none.
  [[nodiscard]] Instant next() const { return due_.empty() ? kNever : due_.begin()->first; }
  /// The attempt that fails then; the lowest id of several.
  [[nodiscard]] AttemptId first() const { return due_.begin()->second; }

 private:
  std::set<std::pair<Instant, AttemptId>> due_;
};

}  // namespace mimus::emulator
