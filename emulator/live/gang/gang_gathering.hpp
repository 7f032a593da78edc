// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

/// How members of a gang wait for each other on the pace clock. The clock runs on while some are on
/// their way. From the arrival of the last one it stands still until all have gone on, so that the
/// time that their messages take does not count. Only for gangs on one host and a clock that waits:
/// a member of another host may need the clock to arrive.
class GangGathering {
 public:
  /// Both must outlive it.
  GangGathering(WorkerContext& context, const StartMessage& message);

  /// This member has come to the next gathering.
  void arrive();
  /// Whether the clock stands still for the gathering at which this member is.
  [[nodiscard]] bool is_complete() const;
  /// This member goes on from `at`. If it came last, it first lets the others go on, and calls
  /// `wait` until they have.
  void go_on(WallInstant at, const std::function<void()>& wait);

 private:
  enum class Place : std::int64_t { arrived, gone_on };
  /// Of this attempt's gathering: ascending along the attempt.
  [[nodiscard]] std::int64_t word(Place place) const;
  [[nodiscard]] bool have_gone_on() const;

  WorkerContext& context_;
  const StartMessage& message_;
  bool applies_;
  bool came_last_ = false;
  std::int64_t number_ = 0;
};

}  // namespace mimus::emulator
