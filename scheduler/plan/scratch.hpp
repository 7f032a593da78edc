// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/books/books.hpp"
#include "scheduler/books/room.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The state on which a planner tries placements and on which the places of a plan are found: the
/// books themselves, restored at the end of its scope.
class Scratch final : public Placer {
 public:
  /// Starts without the jobs that are being stopped.
  explicit Scratch(Books& books);

  [[nodiscard]] int usable_gpus() const override { return usable_gpus_; }
  [[nodiscard]] bool usable(GpuId gpu) const override { return usable_[gpu.index()]; }
  [[nodiscard]] bool counts_only() const override { return books_.policy.placement->counts_only(); }
  const PlacementRequest& ask_for(const PlanJob& job, int gpus) override;
  void relax_to(int level) override;
  /// From now on fits() and find() are about GPUs of this type.
  void only_on(int type);
  [[nodiscard]] std::optional<Allocation> find() const override { return room_.find(); }
  [[nodiscard]] bool fits() const override { return room_.fits(); }
  void book(JobId job, const Allocation& place) override { room_.promise(job, place); }
  void release(AttemptId attempt) override { room_.release(attempt); }
  void restore(AttemptId attempt) override { room_.restore(attempt); }
  [[nodiscard]] std::size_t released() const override { return room_.released(); }
  void restore_down_to(std::size_t mark) override { room_.restore_down_to(mark); }

 private:
  Books& books_;
  std::vector<bool> usable_;  ///< per GPU, before any is kept from others
  int usable_gpus_;
  PlacementRequest request_;
  Room room_;
};

}  // namespace mimus::scheduler
