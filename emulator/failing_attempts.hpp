// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <utility>

#include "emulator/engine.hpp"

namespace mimus::emulator {

/// Running attempts of which the instant is known at which they fail, whatever they do.
class FailingAttempts {
 public:
  /// Nothing for one that does not fail so.
  void add(const Attempt& attempt) {
    if (attempt.fail_at != kNever) due_.emplace(attempt.fail_at, attempt.id);
  }
  void remove(const Attempt& attempt) { due_.erase({attempt.fail_at, attempt.id}); }
  /// When the first one fails; kNever for none.
  [[nodiscard]] Instant next() const { return due_.empty() ? kNever : due_.begin()->first; }
  /// The one that does; of several the one with the lowest id.
  [[nodiscard]] AttemptId first() const { return due_.begin()->second; }

 private:
  std::set<std::pair<Instant, AttemptId>> due_;
};

}  // namespace mimus::emulator
