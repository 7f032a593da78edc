// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>

#include "emulator/engine.hpp"

namespace mimus::emulator {

/// What attempts have done since their last reports. Engines record steps at instants of their own;
/// a policy hears of them when a job reports, at the same instants in both engines.
class UntoldProgress {
 public:
  /// `keeps_windows`: the policy learns from all of them; otherwise from the last one of a report.
  explicit UntoldProgress(bool keeps_windows) : keeps_windows_(keeps_windows) {}

  /// Everything since the attempt's last report, if `progress` is one.
  [[nodiscard]] std::optional<AttemptProgress> add(AttemptProgress progress);
  /// The rest of an attempt that ends or pauses, if there is any.
  [[nodiscard]] std::optional<AttemptProgress> take(AttemptId attempt);

 private:
  bool keeps_windows_;
  std::unordered_map<AttemptId, AttemptProgress> untold_;
};

}  // namespace mimus::emulator
