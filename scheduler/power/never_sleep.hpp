// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/power/power.hpp"

namespace mimus::scheduler {

/// All nodes stay on.
class NeverSleep final : public Power {
 public:
  [[nodiscard]] bool acts() const override { return false; }
  [[nodiscard]] PowerDecision decide(const PowerQuery& query) override;
};

}  // namespace mimus::scheduler
