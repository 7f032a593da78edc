// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

/// A started attempt runs until it ends by itself.
class NoPreemption final : public Preemption {
 public:
  [[nodiscard]] bool active() const override { return false; }
  [[nodiscard]] Instant stoppable_from(const JobView& running) const override;
  [[nodiscard]] std::vector<AttemptId> victims(std::span<const JobView* const> worse,
                                               WhatIf& what_if) const override;
};

}  // namespace mimus::scheduler
