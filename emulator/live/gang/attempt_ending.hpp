// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// How one attempt of a gang ends. The default: its work is done.
struct AttemptEnding {
  scheduler::EndReason reason = scheduler::EndReason::finished;
  std::string detail{};
  bool checkpoint = false;
  std::optional<StartMessage> next{};  ///< next attempt of a gang that is resized or moved
};

/// A member's word on its own communication. Of the words of several members the least counts.
/// Words of failures are negative, so that agreements about other numbers can carry them, too.
struct MemberWord {
  std::int64_t word = 0;  ///< 0: nothing has failed
  std::string detail{};
};

/// Calls `work`. The loss of another member and a lack of memory become words; other errors pass.
[[nodiscard]] MemberWord word_after(const std::function<void()>& work);

/// The end of all members after one of them has sent `agreed`, which is negative. `own` is this
/// member's word. Other members learn of a failure without the detail.
[[nodiscard]] AttemptEnding ending_after(std::int64_t agreed, const MemberWord& own = {});

}  // namespace mimus::emulator
