// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sizing/sizing.hpp"

namespace mimus::scheduler {

/// The total batch that the user asked for.
class Fixed final : public Sizing {
 public:
  /// `measurable`: split so that a job can measure its noise scale, see micro_batches_to_measure.
  explicit Fixed(bool measurable = false) : measurable_(measurable) {}
  [[nodiscard]] BatchPlan plan(const SizingQuery& query) const override;

 private:
  bool measurable_;
};

/// The user's total batch over the job's present gang.
[[nodiscard]] BatchPlan users_batch(const SizingQuery& query, bool measurable);

}  // namespace mimus::scheduler
