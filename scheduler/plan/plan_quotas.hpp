// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Whether admission accepts all jobs of a plan in any order. Since a verdict may improve only when
/// usage falls, such an order exists exactly if the jobs can be taken out of the plan one by one,
/// each accepted beside those that are left.
class PlanQuotas {
 public:
  /// `admission` must outlive this object.
  PlanQuotas(const Admission& admission, int gpus_in_cluster)
      : admission_(admission), gpus_in_cluster_(gpus_in_cluster) {}

  /// `job` must outlive this object. Opportunistic jobs are not counted unless they are promoted.
  void add(const JobView& job, int group, int gpus, bool is_promoted);
  /// The first job added that no order can accept; nothing if there is none. To be called last.
  [[nodiscard]] std::optional<JobId> over_quota();

 private:
  struct Entry {
    const JobView* job;
    int group;
    MilliGpus demand;
  };
  /// Whether it is accepted beside all others.
  [[nodiscard]] bool take_out(const Entry& entry);
  [[nodiscard]] bool is_accepted(const JobView& job, MilliGpus demand, const Usage& others) const;

  const Admission& admission_;
  int gpus_in_cluster_;
  std::vector<Entry> entries_;
  MilliGpus held_;
  std::map<int, MilliGpus> held_by_group_;
};

}  // namespace mimus::scheduler
