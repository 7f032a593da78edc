// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/live/gang/gang_commands.hpp"
#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

/// Which commands a member says it has in each step. Those that all members have take effect at the
/// step's end.
///
/// On a clock that waits for the host, these are the commands that were decided by an instant
/// shortly before the expected end. The member says nothing before it has all of them, so that the
/// host does not decide what takes effect when. If a member's step ends earlier than expected, the
/// others learn this from it, and leave out what was decided later than that allows. Without such a
/// clock, they are the commands that arrive in time.
class StepCommands {
 public:
  /// References must outlive it.
  StepCommands(WorkerContext& context, const StartMessage& message, GangCommands& commands)
      : context_(context), message_(message), commands_(commands) {}

  /// Step number `step` of the attempt begins at `begin`, and will take `shortest` at least, as far
  /// as the members know.
  void begin(std::int64_t step, WallInstant begin, Duration shortest);
  /// The highest number of a command to be said in this step; nothing before that is known.
  [[nodiscard]] std::optional<std::int64_t> known(WallInstant now) const;
  /// This member's step ends at `end`.
  void end(WallInstant end);

 private:
  [[nodiscard]] std::optional<std::int64_t> settled() const;
  [[nodiscard]] std::optional<std::int64_t> arrived(WallInstant now) const;

  WorkerContext& context_;
  const StartMessage& message_;
  GangCommands& commands_;
  std::int64_t step_ = 0;
  WallInstant begin_{};
  WallInstant end_{};  ///< expected
  bool ended_ = false;
};

}  // namespace mimus::emulator
