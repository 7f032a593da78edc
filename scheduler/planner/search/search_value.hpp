// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "scheduler/planner/search/genome.hpp"
#include "scheduler/planner/search/search_problem.hpp"
#include "scheduler/power/node_value.hpp"

namespace mimus::scheduler {

/// What nodes are worth by the estimates of a search and the allocations that it finds. SPEEDUP is
/// relative to one GPU, as in the utility of the artifact of Pollux (Qiao et al., OSDI'21).
class SearchValue final : public NodeValue {
 public:
  /// The best allocation of a problem.
  using Find = std::function<Genome(SearchProblem&, GenePool&)>;
  /// `query` must outlive this object.
  SearchValue(const PlanQuery& query, const SearchRules& rules, Find find);

  [[nodiscard]] double now() const override;
  [[nodiscard]] double of(std::span<const NodeId> nodes) override;
  [[nodiscard]] int least_gpus() const override;

 private:
  [[nodiscard]] double speedup(const JobView& job, std::span<const Cell> cells) const;

  const PlanQuery& query_;
  SearchRules rules_;
  Find find_;
};

}  // namespace mimus::scheduler
