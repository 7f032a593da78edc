// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

// About members that join a gang which grows or moves.

/// A member that joins has prepared; it waits for the gang.
struct JoinerReady {
  static constexpr auto kKind = MessageKind::joiner_ready;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  void visit(auto&& f) { f(attempt), f(at_ns); }
};

/// From the gang's lead to joining members: it is at the boundary.
struct JoinGang {
  static constexpr auto kKind = MessageKind::join_gang;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;  ///< of the boundary
  double samples_done = 0;
  void visit(auto&& f) { f(attempt), f(at_ns), f(samples_done); }
};

/// To joining members: the gang has ended otherwise.
struct CancelJoin {
  static constexpr auto kKind = MessageKind::cancel_join;
  std::int64_t attempt = -1;
  void visit(auto&& f) { f(attempt); }
};

}  // namespace mimus::emulator
