// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// In every round jobs get their requested gangs in order of rank while they fit and admission
/// accepts them; the others wait or are stopped. With an order that blocks, a job that does not fit
/// keeps all later ones from getting GPUs, and one that admission refuses keeps those of its group.
/// Running jobs stay where they are, see KeptPlaces. This is time slicing as in simulators that
/// decide in rounds (Tiresias in the simulator of Pollux, Qiao et al., OSDI'21).
class Ranked final : public Planner {
 public:
  struct Settings {
    std::shared_ptr<Order> order;
    Duration round = std::chrono::seconds(60);
  };
  explicit Ranked(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] std::shared_ptr<Order> order() const override { return settings_.order; }
  [[nodiscard]] bool asks_estimate() const override { return settings_.order->asks_run_time(); }
  [[nodiscard]] bool reads_progress() const override { return false; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
