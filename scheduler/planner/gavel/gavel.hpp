// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/gavel/artifact_queue.hpp"
#include "scheduler/planner/gavel/first_come.hpp"
#include "scheduler/planner/gavel/packed_jobs.hpp"
#include "scheduler/planner/gavel/random_pairs.hpp"
#include "scheduler/planner/gavel/round_shares.hpp"
#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/planner/gavel/type_rates.hpp"
#include "scheduler/planner/leased_time.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A linear program gives each job fractions of the time on the GPU types. In rounds, each job
/// holds GPUs of one type at a time (Gavel, Narayanan et al., OSDI'20), alone or, if its speed
/// there was measured, with another job. A lease has as many whole iterations as fit into a round.
/// A job that is chosen again on its type keeps its GPUs. Deviations: only pairs with fractions are
/// chosen; deadlines that have passed no longer count; unless `fill` is interior, fractions come
/// from GLPK's simplex method, which finds another one of several optima than the interior-point
/// methods of the artifact.
class Gavel final : public Planner {
 public:
  enum class Objective {
    max_min,
    makespan,
    ftf,
    max_sum,
    allox,
    equal,
    fifo,
    artifact_fifo,
    gandiva
  };
  enum class Rates {
    by_type,
    none,  ///< the same on all types
    one    ///< an iteration per second of every job, as in the code of Gavel's figures of ftf
  };
  struct Settings {
    Objective objective = Objective::max_min;
    Rates rates = Rates::by_type;
    Duration round = std::chrono::seconds{360};
    Duration renew = std::chrono::seconds{1920};
    Spare fill = Spare::any;
    double precision = 0.0;
    double considered = 0.2;
    std::map<std::string, double> prices;
    int residents = 1;  ///< of a GPU; 2: jobs with gangs of one size may share GPUs in pairs
  };
  Gavel(Settings settings, std::uint64_t seed)
      : settings_(std::move(settings)),
        random_(seed, "planner gavel"),
        first_come_(settings_.rates != Rates::by_type),
        artifact_queue_(seed),
        random_pairs_(seed) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .failures = true};
  }
  [[nodiscard]] bool knows_types() const override { return true; }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return settings_.residents > 1; }
  void left(JobId job) override { gone_.push_back(job); }

 private:
  struct Lease {
    RoundShares::Unit unit;
    int type = 0;
    double rate = 0.0;  ///< alone or beside the other job of the unit [iterations/s]
    Instant ends{};
    Instant unit_ends{};              ///< the longer one of a pair
    std::optional<double> trained{};  ///< reported time in which the job made iterations [s]
  };
  struct Course {
    std::vector<double> rates;  ///< as estimated, by type [iterations/s]
    double done = 0.0;          ///< iterations, as many as the leases should have made
    double isolated = 0.0;      ///< time that these would have taken on the job's share [s]
    double done_before = 0.0;   ///< at the last renewal of fractions
    double rate_alone = 0.0;    ///< on the job's share, since then [iterations/s]
    double left = std::numeric_limits<double>::infinity();  ///< iterations, where it reports them
    std::optional<Lease> lease;
  };
  void meet(const PlanQuery& query);
  void learn(const JobView& job, const PlanQuery& query);
  void end_lease(JobId job, Course& course, Instant at);
  void forget(const PlanQuery& query);
  [[nodiscard]] bool is_round_over(const PlanQuery& query) const;
  void renew(const PlanQuery& query);
  [[nodiscard]] SharedTypes shared(const PlanQuery& query);
  [[nodiscard]] double remaining(const JobView& job, const Course& course) const;
  [[nodiscard]] UnitFractions fractions(const PlanQuery& query);
  void isolate(const PlanQuery& query, SharedTypes& all);
  [[nodiscard]] TimeFractions assign(const PlanQuery& query, const SharedTypes& all);
  [[nodiscard]] TimeFractions solve(const SharedTypes& all, const ClusterShape& shape) const;
  void replace_pairs(PackedPairs pairs);
  [[nodiscard]] TimeFractions lines(const PlanQuery& query, const SharedTypes& shared) const;
  [[nodiscard]] std::vector<double> prices(const ClusterShape& shape) const;
  void lease(const PlanQuery& query);
  [[nodiscard]] std::vector<int> type_order(int types);
  [[nodiscard]] std::vector<RoundShares::Candidate> candidates(const PlanQuery& query) const;
  [[nodiscard]] std::vector<bool> types_of(JobId job) const;
  [[nodiscard]] std::optional<std::size_t> type_held(JobId job) const;
  void begin_lease(const RoundShares::Choice& choice, Instant now);
  [[nodiscard]] Plan leased(const PlanQuery& query) const;
  void name_gpus(Plan& plan, const PlanQuery& query) const;

  Settings settings_;
  RandomStream random_;
  FirstCome first_come_;
  ArtifactQueue artifact_queue_;
  RandomPairs random_pairs_;
  RatesByType rates_;
  std::optional<RoundShares> shares_;  ///< from the first plan on
  std::map<JobId, Course> courses_;
  PackedPairs pairs_;        ///< that have fractions
  std::vector<JobId> gone_;  ///< jobs that have left since the last plan
  bool changed_ = false;     ///< jobs have arrived or left since fractions were last renewed
  Instant renewed_{};
  Instant round_began_{};
};

}  // namespace mimus::scheduler
