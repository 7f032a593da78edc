// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

// What rank 0 tells running gangs. Every member gets a command; it takes effect at the first step
// boundary at which all have it. Numbers ascend per attempt from 1. `decided_ns` is the instant of
// the decision in ns of the world's clock; 0 if it does not matter when that was.

struct StopMessage {
  static constexpr auto kKind = MessageKind::stop_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  bool checkpoint = true;
  std::int64_t at_ns = 0;  ///< of a suspended gang: as in ResumeMessage
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns), f(checkpoint), f(at_ns); }
};

/// The gang makes no steps until it is resumed or stopped.
struct SuspendMessage {
  static constexpr auto kKind = MessageKind::suspend_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  scheduler::SuspendedMemory keeps = scheduler::SuspendedMemory::all;
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns), f(keeps); }
};

struct ResumeMessage {
  static constexpr auto kKind = MessageKind::resume_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t at_ns = 0;  ///< from when on the clock waits for its members
  void visit(auto&& f) { f(attempt), f(number), f(at_ns); }
};

struct RetuneMessage {
  static constexpr auto kKind = MessageKind::retune_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  scheduler::BatchPlan batch;
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns), f(batch); }
};

struct LimitMessage {
  static constexpr auto kKind = MessageKind::limit_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  scheduler::DeviceLimits limits;
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns), f(limits); }
};

struct ReadMessage {
  static constexpr auto kKind = MessageKind::read_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  double samples_per_second = 0;  ///< of the whole gang, emulated
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns), f(samples_per_second); }
};

/// The gang writes a checkpoint.
struct SaveMessage {
  static constexpr auto kKind = MessageKind::save_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  void visit(auto&& f) { f(attempt), f(number), f(decided_ns); }
};

/// The gang ends in its present form, and its first members, or all of them and new ones, continue
/// as `next`.
struct ResizeMessage {
  static constexpr auto kKind = MessageKind::resize_attempt;
  std::int64_t attempt = -1;
  std::int64_t number = 0;
  std::int64_t decided_ns = 0;
  StartMessage next;  ///< where it begins is known at the boundary only
  void visit(auto&& f) {
    f(attempt), f(number), f(decided_ns);
    next.visit(f);
  }
};

/// From a member of a gang to the others: its step was shorter than they expect, and at the step's
/// end nothing takes effect that was decided later.
struct CommandLimit {
  static constexpr auto kKind = MessageKind::command_limit;
  std::int64_t attempt = -1;
  std::int64_t step = 0;
  std::int64_t decided_ns = 0;
  void visit(auto&& f) { f(attempt), f(step), f(decided_ns); }
};

}  // namespace mimus::emulator
