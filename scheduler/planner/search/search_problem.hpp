// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "scheduler/planner/planner.hpp"
#include "scheduler/planner/search/genome.hpp"
#include "scheduler/planner/search/speedup.hpp"

namespace mimus::scheduler {

/// The objective and the constraints of a search for allocations.
struct SearchRules {
  /// p of FITNESS_p, the power mean of the speedups of all jobs: -1 in Pollux; 1 maximises their
  /// sum, smaller values favour the slowest jobs; 0 is the geometric mean.
  double power = -1.0;
  Duration restart = std::chrono::seconds(30);  ///< δ, assumed cost of a change for a job
  bool avoid_interference = true;               ///< no two jobs of several nodes each share a node
  int most_nodes = 16;                          ///< maximum number of nodes of a job
};

/// A job as the search sees it.
class SearchJob {
 public:
  SearchJob(const PlanQuery& query, const PlanJob& job, const SearchRules& rules, int usable);

  [[nodiscard]] const JobView& view() const { return *job_->view; }
  [[nodiscard]] const PlanJob& job() const { return *job_; }
  /// It has as many GPUs as its user requests, or none.
  [[nodiscard]] bool is_rigid() const { return view().rigid; }
  /// It has this number of GPUs, or none.
  [[nodiscard]] int least_gpus() const { return least_gpus_; }
  [[nodiscard]] int most_gpus() const { return most_gpus_; }
  void allow_one_less() { --most_gpus_; }
  /// Its present GPUs, which it keeps without a restart unless it is being stopped.
  [[nodiscard]] const Cells& now() const { return now_; }
  [[nodiscard]] bool is_now(std::uint64_t hash) const { return hash == now_hash_; }
  /// Its cost is the job's part of the sum whose minimum maximises FITNESS_p: the sum over all jobs
  /// of (SPEEDUP × REALLOC_FACTOR ÷ GPUs per node + 1e-3)^p, with the opposite sign for p > 0; for
  /// p = 0 minus its logarithm (Pollux, OSDI'21, Eq. 14 and 15; scaled as in its artifact).
  [[nodiscard]] GeneWorth worth(std::span<const Cell> cells);

 private:
  struct Known {
    double kept = 0.0;
    double changed = 0.0;
    double speedup = 0.0;
    bool is_known = false;
  };
  [[nodiscard]] double part(double speedup) const;

  const PlanJob* job_;
  int most_gpus_;
  int least_gpus_;
  Cells now_;
  std::uint64_t now_hash_;
  double power_;
  double scale_;    ///< of a speedup: nodes ÷ GPUs of the cluster
  double realloc_;  ///< REALLOC_FACTOR of a change: max(T − Rδ, 0) ÷ (T + δ) after R restarts
  int nodes_told_apart_;
  Speedup speedup_;
  std::vector<std::vector<Known>> known_;  ///< by nodes and GPUs, each worked out once
};

/// Usable GPUs by node.
[[nodiscard]] std::vector<int> usable_capacity(const PlanQuery& query);

/// The jobs, those with the least attained service first, and the GPUs that may be given to them.
struct SearchProblem {
  /// All usable GPUs may.
  SearchProblem(const PlanQuery& query, const SearchRules& given)
      : SearchProblem(query, given, usable_capacity(query)) {}
  /// `gpus`: by node.
  SearchProblem(const PlanQuery& query, const SearchRules& given, std::vector<int> gpus);

  SearchRules rules;
  std::vector<SearchJob> jobs;
  std::vector<int> capacity;  ///< GPUs by node
};

}  // namespace mimus::scheduler
