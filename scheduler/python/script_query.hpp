// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "scheduler/planner/handout.hpp"
#include "scheduler/python/plan_script.hpp"

namespace mimus::scheduler {

/// What a script may ask, answered by the placer, admission and the estimate of a query.
class QueryTools final : public ScriptTools {
 public:
  explicit QueryTools(const PlanQuery& query) : query_(query), handout_(query) {}

  [[nodiscard]] std::optional<std::vector<int>> place(std::size_t job, int gpus) override;
  bool release(std::size_t job) override;
  bool give(std::size_t job, int gpus) override;
  [[nodiscard]] int gpus_left() const override { return handout_.left(); }
  [[nodiscard]] std::optional<double> throughput(std::size_t job, std::span<const int> gpus,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> loss(std::size_t job,
                                           std::optional<double> samples) const override;
  [[nodiscard]] std::optional<double> samples_left(std::size_t job) const override;
  [[nodiscard]] BatchPlan split(std::size_t job, int gpus) const override;

 private:
  const PlanQuery& query_;
  Handout handout_;
  std::set<AttemptId> released_;
};

/// A query as a script sees it.
class ScriptView {
 public:
  /// `query` must outlive it.
  explicit ScriptView(const PlanQuery& query);
  [[nodiscard]] ScriptQuery query() const;

 private:
  const PlanQuery& query_;
  std::vector<ScriptJobRow> jobs_;
  std::vector<ScriptGpuRow> gpus_;
  mutable QueryTools tools_;
};

}  // namespace mimus::scheduler
