// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/locality/relaxed.hpp"

namespace mimus::scheduler {

int Relaxed::level(const JobView& waiting, Instant now) const {
  const Duration waited = now - waiting.queued_since;
  if (waited >= settings_.any_after) return kAnywhere;
  return waited >= settings_.rack_after ? kOneRack : kTightest;
}

Instant Relaxed::next_level(const JobView& waiting, Instant now) const {
  const Instant rack = waiting.queued_since + settings_.rack_after;
  const Instant any = waiting.queued_since + settings_.any_after;
  if (now < rack) return rack;
  return now < any ? any : kNever;
}

}  // namespace mimus::scheduler
