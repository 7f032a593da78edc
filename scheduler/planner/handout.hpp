// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The cluster's GPUs while a plan assigns them. Admission counts what the plan has assigned, not
/// what jobs hold from the plan before.
class Handout {
 public:
  enum class Answer { given, over_quota, does_not_fit };

  explicit Handout(const PlanQuery& query)
      : Handout(query.admission, query.placer.usable_gpus(), query.cluster.shape().gpus()) {}
  /// `gpus`: number of usable GPUs, of `in_cluster`. `admission` must outlive this object.
  Handout(const Admission& admission, int gpus, int in_cluster)
      : admission_(admission), left_(gpus), in_cluster_(in_cluster) {}

  /// The value that give() would return.
  [[nodiscard]] Answer would_give(const PlanJob& job, int more) const;
  /// Gives the job `more` GPUs in addition to those that it was given, or none if that is
  /// impossible.
  [[nodiscard]] Answer give(const PlanJob& job, int more);
  /// Counts GPUs that the job keeps, or that would_give() has granted.
  void count(const PlanJob& job, int gpus);
  [[nodiscard]] int left() const { return left_; }

 private:
  [[nodiscard]] bool admits(const PlanJob& job, int more) const;

  const Admission& admission_;
  int left_;
  int in_cluster_;
  MilliGpus given_;
  std::map<int, MilliGpus> given_to_;  ///< by group
};

}  // namespace mimus::scheduler
