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
/// Jobs that do not end there are stopped with a checkpoint, from which they continue in the main
/// queue. Jobs that request more than `most_gpus`, or more GPUs than these nodes have, are not
/// profiled. The main queue starts jobs by the shortest GPUs × predicted run time, on GPUs of their
/// own, where they stay. A job that does not fit is passed. Jobs that then still wait may join a
/// running job with the same number of GPUs, all on one node, if Binder allows it. A pair that
/// turns out to be slow is separated when one of its jobs finds GPUs of its own.
///
/// This is a planner and not a combination of queue choices because it keeps nodes for attempts of
/// limited length, gives GPUs to two jobs according to its measurements, and moves running jobs
/// apart. Placement, quotas of virtual clusters and predicted run times are those of the policy.
///
/// Deviations: the limit and the number of nodes are fixed and do not follow the rate of arrivals.
/// Agents do not report memory bandwidth, so scores depend on utilisation alone, and memory decides
/// which jobs fit together. The main queue may use the nodes of the profiler only for gangs for
/// which it has too few GPUs.
class Lucid final : public Planner {
 public:
  struct Settings {
    int nodes = 1;  ///< of the profiler; at most all but one
    Duration limit = std::chrono::seconds(200);
    int most_gpus = 8;                             ///< of a job that is profiled
    Duration interval = std::chrono::seconds(20);  ///< between two measurements
    Binder::Settings binder;
    int capacity = 2;         ///< maximum sum of the scores of a pair
    double light_load = 0.5;  ///< predicted load below which capacity is 0
    double full_load = 0.8;   ///< predicted load below which capacity is at most 1
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
    parted,   ///< likewise, and moving away from a neighbour
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
