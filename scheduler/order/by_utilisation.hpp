// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Orders jobs by the share of a GPU's time that the policy's estimate predicts, equal ones by
/// arrival: the queue of Horus (Yeung et al., TPDS 33(1), 2022). Jobs that do not fit are passed
/// until `look_ahead` of them have been. Horus looks at five jobs and starts the first that fits,
/// then at five again. The paper does not say which end of the queue goes first. The queue of its
/// authors' simulator is a heap, so by default the job with the lowest share does.
class ByUtilisation final : public Order {
 public:
  enum class First { lowest, highest };
  struct Settings {
    First first = First::lowest;
    int look_ahead = 5;
  };
  explicit ByUtilisation(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return false; }
  [[nodiscard]] int look_ahead() const override { return settings_.look_ahead; }
  [[nodiscard]] bool asks_utilisation() const override { return true; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
