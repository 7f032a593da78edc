// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/cache/cache.hpp"

namespace mimus::scheduler {

/// No data is kept: every job reads from storage.
class NoCache final : public Cache {
 public:
  [[nodiscard]] bool acts() const override { return false; }
  [[nodiscard]] CacheDecision decide(const CacheQuery&) override { return {}; }
};

}  // namespace mimus::scheduler
