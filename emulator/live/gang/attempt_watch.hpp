// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/live/gang/gang_commands.hpp"
#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

/// What a worker does while its attempt waits: it takes messages, tells rank 0 that the gang is
/// being waited for, and gives up on a stage that makes no progress. Times are on the clock of the
/// pace unless stated otherwise.
class AttemptWatch {
 public:
  /// All references must outlive it. `leads`: this member speaks for the gang.
  AttemptWatch(WorkerContext& context, const StartMessage& message, GangCommands& commands,
               bool leads)
      : context_(context), message_(message), commands_(commands), leads_(leads) {}

  /// While it exists, an attempt that is cut off is not left: members are in MPI calls from which
  /// the others would never return without this one.
  class Together {
   public:
    explicit Together(AttemptWatch& watch) : watch_(watch) { watch_.together_ = true; }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;
    ~Together() { watch_.together_ = false; }

   private:
    AttemptWatch& watch_;
  };

  /// Expected end of the present stage, as far as known.
  void expect(WallInstant due) { due_ = due; }
  /// Throws TimeoutError naming the stage if it is overdue by the stage timeout, and AbandonedError
  /// if rank 0 has asked for it.
  void poll(WallInstant now, Stage stage);
  void wait_until(WallInstant until, Stage stage);
  /// Waits until the next command has arrived, however long that takes: a suspended attempt need
  /// not do more. Throws AbandonedError as above.
  void wait_for_command();

 private:
  /// Takes messages and tells rank 0 that the gang is being waited for; false if this was done just
  /// now.
  bool look(WallInstant now, Stage stage);
  void take_messages();
  [[nodiscard]] bool is_to_leave() const;
  [[nodiscard]] std::string clock_text() const;

  WorkerContext& context_;
  const StartMessage& message_;
  GangCommands& commands_;
  bool leads_;
  bool together_ = false;
  WallInstant due_{};
  WallInstant last_alive_{};  ///< when rank 0 was last told that the gang is waited for; wall time
  WallInstant last_poll_{};   ///< wall time
  WallInstant polled_at_{};   ///< the same on the clock of the pace
  WallInstant in_time_{};     ///< wall time at which the stage was last seen not to be overdue
};

}  // namespace mimus::emulator
