// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler {

/// Linear scaling: every replica trains the model's reference batch, so the total grows with the
/// gang up to the model's largest total (Goyal et al., 2017).
class Linear final : public Batching {
 public:
  [[nodiscard]] BatchPlan plan(const BatchQuery& query) const override;
  [[nodiscard]] bool chooses_batch() const override { return true; }
};

}  // namespace mimus::scheduler
