// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// First come, first served, by arrival. With `skip` later jobs that fit pass one that does not,
/// as in Philly's out-of-order FIFO (Jeon et al., ATC'19).
class Fifo final : public Order {
 public:
  struct Settings {
    bool skip = false;  ///< later jobs that fit pass one that does not
  };
  explicit Fifo(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
