// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"
#include "scheduler/order/unknown_run_time.hpp"

namespace mimus::scheduler {

/// Shortest whole run time first, as the policy's estimate believes it. Source: the SJF rules of
/// the public simulator of Alibaba PAI (Weng et al., NSDI'22 §5.3): jobs sorted by (estimate, id),
/// a job without an estimate counts as the shortest, jobs that do not fit are skipped. By service,
/// run time × GPUs, then by GPUs: shortest service first, the order of Helios' QSSF (Hu et al.,
/// SC'21 §4.2).
class ShortestJobFirst final : public Order {
 public:
  enum class Measure { time, service };
  struct Settings {
    Measure measure = Measure::time;
    bool skip = true;
    Unknown unknown = Unknown::first;
  };
  explicit ShortestJobFirst(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }
  [[nodiscard]] bool asks_run_time() const override { return true; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
