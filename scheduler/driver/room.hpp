// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/driver/fit.hpp"
#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

/// What-if on the books themselves, undone when it goes out of scope.
class Room final : public WhatIf {
 public:
  Room(Cluster& cluster, const Fit& fit) : cluster_(cluster), fit_(fit) {}
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() override;

  /// The request that fits() is about.
  void ask_for(const PlacementRequest& request) { request_ = request; }
  void release(AttemptId attempt) override;
  void restore(AttemptId attempt) override;
  [[nodiscard]] bool fits() const override { return find().has_value(); }
  [[nodiscard]] std::optional<Allocation> find() const { return fit_.find(request_); }

  /// Restores what was released since `mark`, a former released().
  void restore_down_to(std::size_t mark);
  [[nodiscard]] std::size_t released() const { return vacated_.size(); }
  /// Keeps these GPUs from all later questions.
  void withhold(GpuId gpu);

 private:
  Cluster& cluster_;
  const Fit& fit_;
  PlacementRequest request_;
  std::vector<AttemptId> vacated_;
  std::vector<GpuId> withheld_;
};

}  // namespace mimus::scheduler
