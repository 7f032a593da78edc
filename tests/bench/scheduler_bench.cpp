// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "base/random.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::scheduler {
namespace {

/// Keeps a cluster of 512 nodes × 8 GPUs full and a queue of a given length behind it: every event
/// pair ends the oldest attempt and brings one new job.
class BusyCluster {
 public:
  BusyCluster(const std::string& yaml, int queued)
      : scheduler_(shape(), read_policy(parse_yaml(yaml, "bench"), "policy", nullptr)) {
    while (static_cast<int>(scheduler_.queued()) < queued) arrive();
  }

  void arrive() { take(JobArrived{next_job()}); }
  void end_oldest() {
    const AttemptId attempt = running_.front();
    running_.pop_front();
    take(AttemptEnded{attempt, EndReason::finished, "", 0.0});
  }
  [[nodiscard]] std::size_t queued() const { return scheduler_.queued(); }

 private:
  static ClusterShape shape() {
    ClusterShape shape;
    shape.nodes = 512;
    shape.gpus_per_node = 8;
    shape.gpus_per_island = 8;
    shape.nodes_per_rack = 32;
    shape.lanes_per_gpu = 2;
    shape.gpu_memory = Bytes{16e9};
    return shape;
  }

  JobView next_job() {
    static constexpr int kGangs[] = {1, 1, 1, 2, 4, 8, 8, 16};
    JobView job;
    job.id = JobId{next_id_++};
    job.gang = kGangs[random_.below(8)];
    job.model.per_gpu_batch_max = 64;
    job.model.total_batch_max = 4096;
    job.model.base_memory = Bytes{1e9 * static_cast<double>(2 + random_.below(6))};
    job.requested_batch = 32 * job.gang;
    job.arrival = now_;
    job.user_estimate = from_seconds(random_.exponential(3600.0));
    return job;
  }

  void take(const Event& event) {
    now_ += std::chrono::seconds(1);
    follow(scheduler_.on_event(event, now_));
  }

  /// Attempts make their first step at once; stopped ones end at once.
  void follow(const Decision& decision) {
    for (const Action& action : decision.actions) {
      if (const auto* start = std::get_if<StartAttempt>(&action)) {
        running_.push_back(start->attempt);
        follow(scheduler_.on_event(AttemptStarted{start->attempt}, now_));
      } else if (const auto* stop = std::get_if<StopAttempt>(&action)) {
        std::erase(running_, stop->attempt);
        const AttemptEnded end{stop->attempt, EndReason::preempted, "", 0.0};
        follow(scheduler_.on_event(end, now_));
      }
    }
  }

  RandomStream random_{1, "scheduler bench"};
  Scheduler scheduler_;
  std::deque<AttemptId> running_;
  std::int64_t next_id_ = 0;
  Instant now_{};
};

const std::vector<std::string>& rows() {
  static const std::vector<std::string> kRows{
      "{}",
      "{order: {name: fifo, skip: true}}",
      "{order: sjf, placement: relaxed}",
      "{order: sjf, placement: spread}",
      "{order: sjf, sharing: tenants}",
      "{order: {name: las, limits: [1 h]}, preemption: checkpoint}",
      "{order: sjf, sharing: tenants, preemption: checkpoint}",
  };
  return kRows;
}

/// Two events per iteration; the queue keeps about the length given.
void event_pair(benchmark::State& state) {
  const std::string& row = rows()[static_cast<std::size_t>(state.range(0))];
  BusyCluster cluster(row, static_cast<int>(state.range(1)));
  for (auto _ : state) {
    cluster.end_oldest();
    cluster.arrive();
  }
  state.SetItemsProcessed(2 * state.iterations());
  state.SetLabel(row + " queue " + std::to_string(cluster.queued()));
}
BENCHMARK(event_pair)
    ->ArgsProduct({{0, 1, 2, 3, 4, 5, 6}, {1000}})
    ->ArgsProduct({{0, 1}, {100'000}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mimus::scheduler

BENCHMARK_MAIN();
