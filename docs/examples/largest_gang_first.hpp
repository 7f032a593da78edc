// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Larger gangs first, because they find room less often; a job's turn comes at the latest when it
/// has waited for `patience` (the example of docs/write-a-policy.md; no paper).
class LargestGangFirst final : public Order {
 public:
  struct Settings {
    Duration patience = std::chrono::hours{1};
    bool skip = true;
  };
  explicit LargestGangFirst(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }
  /// When a waiting job's patience ends.
  [[nodiscard]] Instant next_change(const JobView& job, Instant now) const override;

 private:
  [[nodiscard]] bool has_waited_enough(const JobView& job, Instant now) const;
  Settings settings_;
};

/// The line of the table: name, summary, parameters.
[[nodiscard]] Choice<Order> largest_gang_first_choice();

}  // namespace mimus::scheduler
