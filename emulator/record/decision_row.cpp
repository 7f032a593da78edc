// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/decision_row.hpp"

#include <algorithm>
#include <variant>

namespace mimus::emulator {
namespace {

template <class Action>
std::int64_t count(const scheduler::Decision& decision) {
  std::int64_t n = 0;
  for (const auto& action : decision.actions) n += std::holds_alternative<Action>(action) ? 1 : 0;
  return n;
}

std::int64_t moves_in(const scheduler::Decision& decision) {
  return std::ranges::count_if(decision.actions, [](const scheduler::Action& action) {
    const auto* next = std::get_if<scheduler::ResizeAttempt>(&action);
    return next != nullptr && next->moves;
  });
}

}  // namespace

results::DecisionRow decision_row(const scheduler::Decision& decision, Duration latency, Instant at,
                                  std::size_t queued, std::size_t running) {
  const std::int64_t moves = moves_in(decision);
  return {.time = to_seconds(at),
          .latency_us = to_seconds(latency) * 1e6,
          .actions = static_cast<std::int64_t>(decision.actions.size()),
          .starts = count<scheduler::StartAttempt>(decision),
          .stops = count<scheduler::StopAttempt>(decision),
          .retunes = count<scheduler::RetuneBatch>(decision),
          .resizes = count<scheduler::ResizeAttempt>(decision) - moves,
          .moves = moves,
          .limits = count<scheduler::LimitAttempt>(decision),
          .suspensions = count<scheduler::SuspendAttempt>(decision),
          .resumptions = count<scheduler::ResumeAttempt>(decision),
          .queued = static_cast<std::int64_t>(queued),
          .running = static_cast<std::int64_t>(running)};
}

}  // namespace mimus::emulator
