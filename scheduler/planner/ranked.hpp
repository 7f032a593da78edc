// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// In every round the gangs asked for go to the jobs in order of rank while they fit and admission
/// accepts them; the others wait or are stopped. In an order that blocks, a job that does not fit
/// keeps all later ones from getting GPUs, and one that admission refuses those of its group.
/// Running jobs stay where they are, see KeptPlaces. Time slicing as in the simulators that decide
/// in rounds (Tiresias in the one of Pollux, Qiao et al., OSDI'21).
class Ranked final : public Planner {
 public:
  Ranked(std::shared_ptr<Order> order, Duration round) : order_(std::move(order)), round_(round) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = round_}; }
  [[nodiscard]] std::shared_ptr<Order> order() const override { return order_; }
  [[nodiscard]] bool asks_estimate() const override { return order_->asks_run_time(); }

 private:
  std::shared_ptr<Order> order_;
  Duration round_;
};

}  // namespace mimus::scheduler
