// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Earliest deadline first (Liu & Layland, JACM 1973). Jobs without a deadline come last, by
/// arrival.
class EarliestDeadline final : public Order {
 public:
  struct Settings {
    bool skip = false;  ///< later jobs that fit pass one that does not
  };
  explicit EarliestDeadline(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
