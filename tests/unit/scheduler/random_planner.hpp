// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/random.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler::test {

/// Plans without sense: counts, types, exact GPUs and batches at random for some of the jobs. In
/// the end it lets all jobs run in order of arrival, so that a run has one.
class RandomPlanner final : public Planner {
 public:
  enum class Plans {
    many,  ///< every few seconds for 200 s, one in six impossible
    two,   ///< possible ones at 0 and 1 to 6 s; at 21 s it compares the state with the second
  };
  RandomPlanner(std::uint64_t seed, Plans plans, bool in_place);

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override;
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool resizes_in_place() const override { return in_place_; }
  [[nodiscard]] bool moves() const override { return in_place_; }

  [[nodiscard]] int plans() const { return plan_count_; }
  /// What is impossible in the last plan; "" when nothing is.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// The last plan that was possible.
  [[nodiscard]] const Plan& adopted() const { return adopted_; }
  /// What differs from the second plan, a line per job.
  [[nodiscard]] const std::string& missed() const { return missed_; }
  /// Jobs that were compared with the second plan.
  [[nodiscard]] int compared() const { return compared_; }

 private:
  Plan random_plan(const PlanQuery& query);
  std::map<JobId, int> random_counts(const PlanQuery& query);
  void name_gpus(const PlanQuery& query, Plan& plan);
  [[nodiscard]] std::set<GpuId> kept_gpus(const PlanQuery& query, const Plan& plan) const;
  void add_batches(Plan& plan);
  void spoil(const PlanQuery& query, Plan& plan);
  void compare(const PlanQuery& query);

  RandomStream random_;
  Plans plans_;
  bool in_place_;
  int plan_count_ = 0;
  std::string fault_;
  std::string missed_;
  int compared_ = 0;
  Plan adopted_;
};

}  // namespace mimus::scheduler::test
