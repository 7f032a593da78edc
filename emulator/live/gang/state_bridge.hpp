// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/gang/attempt_ending.hpp"
#include "emulator/live/gang/attempt_gang.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::emulator {

/// Transfers the state of a gang that moves to other GPUs, from its lead to the lead of its
/// successor. Both create one and call carry() once.
class StateBridge {
 public:
  /// References must outlive it. `to`: the successor.
  StateBridge(WorkerContext& context, const StartMessage& to, AttemptWatch& watch);

  /// The result, which is the same for both leads.
  struct Outcome {
    std::int64_t word = 0;  ///< negative: either of them has failed, see MemberWord
    WallInstant at{};       ///< when the transfer has ended
  };
  /// Moves the giver's weights and optimiser state, `state` bytes, over the link between the two.
  /// `own`: negative if this member cannot; nothing is moved then. `at`: present instant by its own
  /// schedule. Its device must hold memory for `plan`.
  [[nodiscard]] Outcome carry(MemberWord& own, const kernels::FootprintPlan& plan, Bytes state,
                              WallInstant at);

 private:
  [[nodiscard]] std::int64_t agree(MemberWord& own, WallInstant at);
  [[nodiscard]] WallInstant transfer(const kernels::FootprintPlan& plan, Bytes state,
                                     WallInstant ready);

  WorkerContext& context_;
  AttemptWatch& watch_;
  StartMessage pair_;  ///< a gang of the two leads, the giver first
  AttemptGang gang_;
};

}  // namespace mimus::emulator
