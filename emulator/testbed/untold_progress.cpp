// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/untold_progress.hpp"

#include <iterator>
#include <utility>

namespace mimus::emulator {

std::optional<AttemptProgress> UntoldProgress::add(AttemptProgress progress) {
  if (auto earlier = take(progress.attempt)) {
    if (!keeps_windows_ && !progress.windows.empty()) earlier->windows.clear();
    earlier->windows.insert(earlier->windows.end(),
                            std::make_move_iterator(progress.windows.begin()),
                            std::make_move_iterator(progress.windows.end()));
    progress.windows = std::move(earlier->windows);
    if (!progress.epochs) progress.epochs = earlier->epochs;
  }
  if (progress.is_report) return progress;
  const AttemptId attempt = progress.attempt;
  untold_.emplace(attempt, std::move(progress));
  return std::nullopt;
}

std::optional<AttemptProgress> UntoldProgress::take(AttemptId attempt) {
  auto node = untold_.extract(attempt);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

}  // namespace mimus::emulator
