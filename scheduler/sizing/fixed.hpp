// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sizing/sizing.hpp"

namespace mimus::scheduler {

/// The total batch that the user asked for.
class Fixed final : public Sizing {
 public:
  [[nodiscard]] BatchPlan plan(const SizingQuery& query) const override;
};

}  // namespace mimus::scheduler
