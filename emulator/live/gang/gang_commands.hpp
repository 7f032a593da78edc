// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "emulator/live/messages/protocol.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// What rank 0 wants of a running gang: that it stops, goes on as another one, or takes a batch.
struct GangCommand {
  bool stop = false;
  bool checkpoint = false;
  scheduler::BatchPlan batch{};
  std::optional<StartMessage> resized{};
};

/// Commands to one attempt. They are numbered from 1 and come to each member in any order; members
/// apply them in the order of their numbers, up to the one that all of them have.
class GangCommands {
 public:
  explicit GangCommands(std::int64_t attempt) : attempt_(attempt) {}

  [[nodiscard]] static bool is_one(MessageKind kind);
  /// False for what is no command, or one to another attempt.
  [[nodiscard]] bool take(const Envelope& envelope);
  /// The highest number so far; 0 before the first.
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// The next one to be applied, if its number is at most `agreed`.
  [[nodiscard]] std::optional<GangCommand> next(std::int64_t agreed);

 private:
  template <class Message>
  bool keep(const Message& message, GangCommand command);

  std::int64_t attempt_;
  std::map<std::int64_t, GangCommand> waiting_;  ///< by number
  std::int64_t last_ = 0;
  std::int64_t applied_ = 0;
};

}  // namespace mimus::emulator
