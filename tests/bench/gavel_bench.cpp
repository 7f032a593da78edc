// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "tests/bench/timed_planner.hpp"

// What a plan for 1,000 jobs on four types of 1,024 GPUs costs when all fractions of time are
// computed anew. Bound, -O2, one core of 2 GHz or more: <= 1 s.

namespace mimus::scheduler {
namespace {

/// One of 26 kinds, as many as Gavel's evaluation has, with 0.3 to 20 iterations/s.
JobView rated_job(int id, bool may_have_gang, RandomStream& random) {
  JobView view = job(id, random);
  if (!may_have_gang) view.gang = 1;
  const auto kind = static_cast<double>(random.below(26));
  view.rates = {{"A100", 20.0 - 0.5 * kind},
                {"V100", 10.0 - 0.2 * kind},
                {"P100", 7.0 - 0.25 * kind},
                {"K80", 1.0 + 0.03 * kind}};
  view.user_estimate = from_seconds(random.uniform(3600.0, 360000.0));
  return view;
}

/// In each round one job ends, another one comes, and all fractions are computed anew.
void renewed_fractions(benchmark::State& state, const std::string& objective) {
  Duration planning{};
  Policy policy = read_policy(
      parse_yaml("{planner: {name: gavel, renew: 0 s, round: 60 s, objective: " + objective +
                     "}, placement: pack}",
                 "bench"),
      "policy", {.throughput = nullptr, .oracle = nullptr, .seed = 1});
  policy.planner = std::make_unique<TimedPlanner>(std::move(policy.planner), planning);
  Scheduler scheduler(four_types(), std::move(policy));
  RandomStream random(1, "planner bench");
  std::vector<Event> events;
  int jobs = 0;
  const auto arrive = [&] {
    events.emplace_back(JobArrived{rated_job(jobs++, objective != "allox", random)});
  };
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
    now += std::chrono::seconds{60};
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

void register_gavel() {
  for (const std::string objective : {"max_min", "makespan", "ftf", "max_sum", "allox"}) {
    benchmark::RegisterBenchmark(("gavel/" + objective).c_str(), renewed_fractions, objective)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(10);
  }
}

}  // namespace mimus::scheduler
