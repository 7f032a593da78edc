// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "base/random.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::scheduler {

inline constexpr int kJobs = 1000;

/// CPU time, so that other programs on the machine do not count.
inline Duration cpu_now() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + Duration{now.tv_nsec};
}

inline JobView job(int id, RandomStream& random) {
  static constexpr int kGangs[] = {1, 2, 4, 4, 8, 8, 8, 16};
  JobView job;
  job.id = JobId{id};
  job.name = "job";
  job.virtual_cluster = random.below(2) == 0 ? "prod" : "test";
  job.gang = kGangs[random.below(8)];
  job.requested_batch = 32 * job.gang;
  job.model.name = "resnet50";
  job.model.per_gpu_batch_max = 1024;
  job.model.total_batch_max = 65536;
  return job;
}

/// As many GPUs of each of four types, in nodes of eight.
inline ClusterShape four_types() {
  std::vector<NodeGroup> groups;
  for (const char* type : {"A100", "V100", "P100", "K80"}) {
    groups.push_back({.nodes = 128, .gpus_per_node = 8, .gpus_per_island = 8, .gpu_type = type});
  }
  return ClusterShape::of_groups(groups, 32);
}

/// Records how long its planner takes.
class TimedPlanner final : public Planner {
 public:
  TimedPlanner(std::unique_ptr<Planner> planner, Duration& spent)
      : planner_(std::move(planner)), spent_(spent) {}
  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    const auto begin = cpu_now();
    Plan plan = planner_->plan(query);
    spent_ = cpu_now() - begin;
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return planner_->wakes(); }
  [[nodiscard]] std::shared_ptr<Order> order() const override { return planner_->order(); }
  [[nodiscard]] bool keeps_gangs() const override { return planner_->keeps_gangs(); }
  [[nodiscard]] bool counts_only() const override { return planner_->counts_only(); }
  [[nodiscard]] bool resizes_in_place() const override { return planner_->resizes_in_place(); }

 private:
  std::unique_ptr<Planner> planner_;
  Duration& spent_;
};

/// The events with which an engine answers a decision.
inline std::vector<Event> answers(const Decision& decision) {
  std::vector<Event> events;
  for (const Action& action : decision.actions) {
    if (const auto* start = std::get_if<StartAttempt>(&action)) {
      events.emplace_back(AttemptStarted{start->attempt});
    } else if (const auto* stop = std::get_if<StopAttempt>(&action)) {
      events.emplace_back(AttemptEnded{stop->attempt, EndReason::preempted, "", 0});
    } else if (const auto* resize = std::get_if<ResizeAttempt>(&action)) {
      events.emplace_back(AttemptEnded{resize->from, EndReason::resized, "", 0});
    }
  }
  return events;
}

/// Plans of a policy for kJobs jobs, in rounds in each of which one job ends and another one comes:
/// job_of(id, random). Counts what plans take in the mean and at most [CPU ms].
template <class JobOf>
void plan_in_rounds(benchmark::State& state, const ClusterShape& shape,
                    const std::string& policy_text, Duration round, JobOf job_of) {
  Duration planning{};
  Policy policy = read_policy(parse_yaml(policy_text, "bench"), "policy",
                              {.throughput = nullptr, .oracle = nullptr, .seed = 1});
  policy.planner = std::make_unique<TimedPlanner>(std::move(policy.planner), planning);
  Scheduler scheduler(shape, std::move(policy));
  RandomStream random(1, "planner bench");
  std::vector<Event> events;
  int jobs = 0;
  const auto arrive = [&] { events.emplace_back(JobArrived{job_of(jobs++, random)}); };
  while (jobs < kJobs) arrive();
  Instant now{};
  double plan_ms = 0.0;
  double longest_ms = 0.0;
  for (auto _ : state) {
    Decision decision = scheduler.on_events(std::span<const Event>(events), now);
    const double spent = to_seconds(planning) * 1e3;
    plan_ms += spent;
    longest_ms = std::max(longest_ms, spent);
    if (!decision.refused_plan.empty()) state.SkipWithError(decision.refused_plan.c_str());
    for (events = answers(decision); !events.empty(); events = answers(decision)) {
      decision = scheduler.on_events(std::span<const Event>(events), now);
    }
    now += round;
    for (const GpuState& gpu : scheduler.cluster().gpus()) {
      if (gpu.tenants.empty()) continue;
      events.emplace_back(AttemptEnded{gpu.tenants[0].attempt, EndReason::finished, "", 0});
      break;
    }
    arrive();
  }
  state.counters["plan_ms"] = benchmark::Counter(plan_ms, benchmark::Counter::kAvgIterations);
  state.counters["longest_ms"] = longest_ms;
}

/// Benchmarks of planner gavel.
void register_gavel();
/// Benchmarks of planner shockwave.
void register_shockwave();

}  // namespace mimus::scheduler
