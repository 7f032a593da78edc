// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/shortest_job_first.hpp"
#include "scheduler/planner/lucid/binder.hpp"
#include "scheduler/planner/lucid/load_forecast.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Profiles jobs first and packs them later: Lucid (Hu et al., ASPLOS'23). New jobs run on the
/// first `nodes` nodes, those with the fewest GPUs first, for `limit` from their first step on.
/// Jobs that do not end there are stopped with a checkpoint, from which they go on in the main
/// queue. Jobs that ask for more than `most_gpus`, or for more than these nodes have, are not
/// profiled. From the main queue jobs start by the shortest GPUs × predicted run time, on GPUs of
/// their own, and stay. Whoever does not fit is passed. Jobs that then still wait may join one that
/// has as many GPUs, all on one node, if Binder allows it. Pairs that turn out badly part where one
/// of them finds GPUs of its own.
///
/// It is a planner and not a row of queue choices because it keeps nodes for attempts of limited
/// length, gives GPUs to two jobs by what it has measured of them, and moves running jobs apart.
/// Placement, quotas of virtual clusters and predicted run times are those of the row.
///
/// Deviations: the limit and the number of nodes are fixed and do not follow the rate of arrivals.
/// Memory bandwidth is not in what agents report, so scores go by utilisation alone, and memory
/// decides who fits beside whom. The main queue may use the nodes of the profiler only for gangs
/// that it has too few GPUs for.
class Lucid final : public Planner {
 public:
  struct Settings {
    int nodes = 1;  ///< of the profiler; all but one at most
    Duration limit = std::chrono::seconds(200);
    int most_gpus = 8;                             ///< of a job that is profiled
    Duration interval = std::chrono::seconds(20);  ///< between two measurements
    Binder::Settings binder;
    int capacity = 2;         ///< most that the scores of a pair add up to
    double light_load = 0.5;  ///< of the cluster as predicted: below it capacity is 0
    double full_load = 0.8;   ///< below it capacity is 1 at most
    Duration load_window = std::chrono::hours(1);
  };
  explicit Lucid(Settings settings)
      : settings_(settings), binder_(settings.binder), load_(settings.load_window) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .failures = true};
  }
  [[nodiscard]] std::shared_ptr<Order> order() const override { return order_; }
  [[nodiscard]] int residents() const override { return 2; }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] Duration sample_interval() const override { return settings_.interval; }
  void observe(const JobView& job, const JobSample& sample) override;
  void left(JobId job) override;

 private:
  struct Round;
  enum class Stage {
    arrived,  ///< is profiled, or waits for it
    queued,   ///< in the main queue
    placed,   ///< has been given GPUs of the main queue
    parted,   ///< likewise, and is moving away from a neighbour
  };
  void sort_out(Round& round);
  void profile(Round& round);
  void sort_queue(Round& round) const;
  void start_alone(Round& round, int least_gang);
  void seat(Round& round, const PlanJob& job, Allocation place);
  void find_neighbours(Round& round);
  void part(Round& round);
  void pack(Round& round);
  [[nodiscard]] int capacity() const;

  Settings settings_;
  Binder binder_;
  LoadForecast load_;
  IdMap<JobId, Stage> stages_;
  std::shared_ptr<Order> order_ = std::make_shared<ShortestJobFirst>(
      ShortestJobFirst::Settings{.measure = ShortestJobFirst::Measure::service});
  bool is_stuck_ = false;  ///< jobs waited in the last plan while none had GPUs of the main queue
};

}  // namespace mimus::scheduler
