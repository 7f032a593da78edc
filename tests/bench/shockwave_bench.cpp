// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "tests/bench/timed_planner.hpp"

// What a plan of planner shockwave for 1,000 jobs on 4,096 GPUs costs when a window of 20 rounds
// begins anew. Bound, -O2, one core of 2 GHz or more: <= 1 s.

namespace mimus::scheduler {
namespace {

constexpr int kNodes = 512;

/// Of 50 to 150 epochs, half of them with twice the batch.
JobView profiled_job(int id, RandomStream& random) {
  JobView view = job(id, random);
  const double epoch = random.uniform(20.0, 600.0);
  EpochProfile profile{
      .modes = {{32, 10.0, epoch}, {64, 8.0, epoch / 1.6}}, .iterations = 0.0, .of_epoch = {}};
  const auto epochs = static_cast<std::size_t>(random.uniform(50.0, 150.0));
  for (std::size_t i = 0; i < epochs; ++i) profile.of_epoch.push_back(2 * i < epochs ? 0 : 1);
  profile.iterations = 10.0 * epoch * static_cast<double>(epochs);
  view.rates = {{"V100", 10.0}};
  view.epochs = std::make_shared<const EpochProfile>(std::move(profile));
  return view;
}

/// In each round one job ends and another one comes.
void new_windows(benchmark::State& state) {
  Duration planning{};
  Policy policy = read_policy(parse_yaml("{planner: shockwave, placement: pack}", "bench"),
                              "policy", {.throughput = nullptr, .oracle = nullptr, .seed = 1});
  policy.planner = std::make_unique<TimedPlanner>(std::move(policy.planner), planning);
  ClusterShape shape;
  shape.nodes = kNodes;
  shape.gpus_per_node = shape.gpus_per_island = 8;
  shape.nodes_per_rack = 32;
  shape.gpu_type = "V100";
  Scheduler scheduler(shape, std::move(policy));
  RandomStream random(1, "planner bench");
  std::vector<Event> events;
  int jobs = 0;
  const auto arrive = [&] { events.emplace_back(JobArrived{profiled_job(jobs++, random)}); };
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
    now += std::chrono::seconds{120};
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

}  // namespace

void register_shockwave() {
  benchmark::RegisterBenchmark("shockwave/new_window", new_windows)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(10);
}

}  // namespace mimus::scheduler
