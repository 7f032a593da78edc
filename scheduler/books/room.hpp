// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/books/fit.hpp"
#include "scheduler/books/job_table.hpp"
#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

/// A what-if on the books themselves, undone when it goes out of scope.
class Room final : public WhatIf {
 public:
  Room(Cluster& cluster, const Fit& fit) : cluster_(cluster), fit_(fit) {}
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() override;

  /// The request to which fits() refers.
  void ask_for(const PlacementRequest& request) { request_ = request; }
  void release(AttemptId attempt) override;
  void restore(AttemptId attempt) override;
  [[nodiscard]] bool fits() const override { return find().has_value(); }
  [[nodiscard]] std::optional<Allocation> find() const { return fit_.find(request_); }
  /// The place `before`, if it is still one, else another; null for no place before.
  [[nodiscard]] std::optional<Allocation> find(const Allocation* before) const;

  /// Restores what was released since `mark`, a former released().
  void restore_down_to(std::size_t mark);
  [[nodiscard]] std::size_t released() const { return vacated_.size(); }
  /// Withholds what was found for `job` from all later questions: its share if GPUs are divided,
  /// otherwise the whole GPUs.
  void promise(JobId job, const Allocation& found);
  /// True while it equals the cluster.
  [[nodiscard]] bool is_cluster() const {
    return vacated_.empty() && withheld_.empty() && promised_.empty();
  }

 private:
  Cluster& cluster_;
  const Fit& fit_;
  PlacementRequest request_;
  std::vector<AttemptId> vacated_;
  std::vector<GpuId> withheld_;
  std::vector<AttemptId> promised_;  ///< that do not exist and hold shares here
};

/// A what-if for gangs that fit as soon as enough GPUs are usable; it only counts them.
class CountingRoom final : public WhatIf {
 public:
  CountingRoom(const Cluster& cluster, const JobTable& jobs, int gang)
      : cluster_(cluster), jobs_(jobs), free_(cluster.free_gpus().total()), gang_(gang) {}

  void release(AttemptId attempt) override { free_ += gpus_of(jobs_.running(attempt)->view); }
  void restore(AttemptId attempt) override { free_ -= gpus_of(jobs_.running(attempt)->view); }
  [[nodiscard]] bool fits() const override { return free_ >= gang_; }
  /// GPUs of a running job that would be usable without it.
  [[nodiscard]] int gpus_of(const JobView& running) const;

 private:
  const Cluster& cluster_;
  const JobTable& jobs_;
  int free_;
  int gang_;
};

}  // namespace mimus::scheduler
