// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/attempt_ending.hpp"

#include "base/error.hpp"
#include "kernels/collective.hpp"

namespace mimus::emulator {
namespace {

using scheduler::EndReason;

constexpr std::int64_t kLost = -1;  ///< the member has lost another one
constexpr std::int64_t kOutOfMemory = -2;

}  // namespace

MemberWord word_after(const std::function<void()>& work) {
  try {
    work();
  } catch (const kernels::PeerLostError& lost) {
    return {kLost, lost.what()};
  } catch (const OutOfMemoryError& full) {  // libraries raise it at their first use, too
    return {kOutOfMemory, full.what()};
  }
  return {};
}

AttemptEnding ending_after(std::int64_t agreed, const MemberWord& own) {
  const bool is_full = agreed == kOutOfMemory;
  const char* of_another =
      is_full ? "a member of the gang is out of memory" : "a member of the gang was lost";
  return {.reason = is_full ? EndReason::out_of_memory : EndReason::failed,
          .detail = agreed == own.word ? own.detail : of_another};
}

}  // namespace mimus::emulator
