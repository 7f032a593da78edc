// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "emulator/live/messages/command_messages.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// A command of rank 0 to a gang.
struct GangCommand {
  enum class Kind { stop, resize, retune, limit, read, save, suspend, resume };
  Kind kind = Kind::stop;
  std::int64_t decided_ns = 0;            ///< see command_messages.hpp
  bool checkpoint = false;                ///< of a stop
  scheduler::BatchPlan batch{};           ///< to be taken
  scheduler::DeviceLimits limits{};       ///< likewise
  double read_rate = 0.0;                 ///< likewise [samples per emulated second]
  scheduler::SuspendedMemory keeps{};     ///< of a suspension
  std::optional<StartMessage> resized{};  ///< as which it continues
  /// The instant from which the clock waits for a suspended gang to take the command up, in ns of
  /// the world's clock; 0 if it was sent before the gang was known to be suspended.
  std::int64_t at_ns = 0;
};

/// Commands to one attempt. They are numbered from 1 and reach each member in any order. Members
/// apply them in the order of their numbers, up to the highest that all of them have.
class GangCommands {
 public:
  explicit GangCommands(std::int64_t attempt) : attempt_(attempt) {}

  [[nodiscard]] static bool is_one(MessageKind kind);
  /// False if the message is not a command, or one to another attempt.
  [[nodiscard]] bool take(const Envelope& envelope);
  /// The highest number so far; 0 before the first.
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// The highest number of those that were decided by `at_ns`, in ns of the world's clock, and
  /// before which none is missing.
  [[nodiscard]] std::int64_t decided_by(std::int64_t at_ns) const;
  /// The highest number before which none is missing.
  [[nodiscard]] std::int64_t complete() const;
  /// What another member allows at the end of `step`: no command decided later, in ns of the
  /// world's clock. The end of time if none has said anything about it.
  [[nodiscard]] std::int64_t decided_limit(std::int64_t step) const;
  [[nodiscard]] std::int64_t applied() const { return applied_; }
  /// The next one to be applied; null if it has not come.
  [[nodiscard]] const GangCommand* peek() const;
  /// The next one to be applied, if its number is at most `agreed`.
  [[nodiscard]] std::optional<GangCommand> next(std::int64_t agreed);

 private:
  bool keep(const CommandLimit& limit);
  template <class Message>
  bool keep(const Message& message, GangCommand command);

  std::int64_t attempt_;
  std::map<std::int64_t, GangCommand> waiting_;  ///< by number
  std::int64_t last_ = 0;
  std::int64_t applied_ = 0;
  std::optional<CommandLimit> limit_;  ///< of the last step about which a member said one
};

}  // namespace mimus::emulator
