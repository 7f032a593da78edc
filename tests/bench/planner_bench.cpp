// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "base/random.hpp"
#include "base/text_file.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "scheduler/python/plan_script.hpp"
#include "scheduler/scheduler.hpp"

// What a plan for 1,000 jobs on 512 x 8 GPUs costs when everybody goes on as before. `plan`: the
// planner; `reconcile`: the rest of the decision, which shows it the jobs, checks the plan,
// compares it with what runs and explains why others wait.
//
// Bounds, -O2, one core of 2 GHz or more: plan of ranked and greedy <= 1 ms, of the example in
// Python <= 20 ms; reconcile <= 0.2 ms.

namespace mimus::scheduler {
namespace {

constexpr int kJobs = 1000;

/// CPU time, so that other programs of the machine do not count.
Duration cpu_now() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + Duration{now.tv_nsec};
}

ClusterShape shape() {
  ClusterShape shape;
  shape.nodes = 512;
  shape.gpus_per_node = 8;
  shape.gpus_per_island = 8;
  shape.nodes_per_rack = 32;
  shape.gpu_type = "A100";
  shape.gpu_memory = Bytes{40e9};
  return shape;
}

JobView job(int id, RandomStream& random) {
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

/// Steps of a second on one GPU of which nine tenths are divided among the gang.
class SomeOracle final : public Oracle {
 public:
  [[nodiscard]] std::optional<Duration> run_time(JobId) const override { return std::nullopt; }
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override {
    return 1000.0 + static_cast<double>(job.value() % 97) * 100.0;
  }
  [[nodiscard]] std::optional<Duration> step_time(JobId, int gpus) const override {
    return from_seconds(0.1 + 0.9 / gpus);
  }
  [[nodiscard]] int most_gpus(JobId) const override { return 16; }
};

/// Notes how long its planner takes.
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

/// The events that carry an engine's answer to a decision.
std::vector<Event> answers(const Decision& decision) {
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

void rounds(benchmark::State& state, const std::string& row) {
  Duration planning{};
  Policy policy = read_policy(parse_yaml(row, "bench"), "policy",
                              {.throughput = nullptr, .oracle = std::make_shared<SomeOracle>()});
  policy.planner = std::make_unique<TimedPlanner>(std::move(policy.planner), planning);
  Scheduler scheduler(shape(), std::move(policy));
  RandomStream random(1, "planner bench");
  std::vector<Event> events;
  for (int id = 0; id < kJobs; ++id) events.emplace_back(JobArrived{job(id, random)});
  Instant now{};
  const auto decide = [&] {
    Decision decision = scheduler.on_events(std::span<const Event>(events), now);
    events = answers(decision);
    return decision;
  };
  for (int settling = 0; settling < 20; ++settling) {
    (void)decide();
    if (events.empty()) now += std::chrono::seconds{60};
  }
  double plan_us = 0.0;
  double reconcile_us = 0.0;
  for (auto _ : state) {
    now += std::chrono::seconds{60};
    const auto begin = cpu_now();
    const Decision decision = decide();
    const Duration all = cpu_now() - begin;
    if (!decision.refused_plan.empty()) state.SkipWithError(decision.refused_plan.c_str());
    plan_us += to_seconds(planning) * 1e6;
    reconcile_us += to_seconds(all - planning) * 1e6;
  }
  using benchmark::Counter;
  state.counters["plan_us"] = Counter(plan_us, Counter::kAvgIterations);
  state.counters["reconcile_us"] = Counter(reconcile_us, Counter::kAvgIterations);
}

std::string example() {
  ConfigNode row = parse_yaml(
      "{planner: {name: python, file: weighted_share.py, class: WeightedShare, "
      "arguments: {weights: {prod: 2}}}, placement: most_free}",
      "bench");
  ConfigNode text = ConfigNode::text(read_text_file(MIMUS_EXAMPLES "/weighted_share.py"));
  text.quoted = true;
  set_path(row, "planner.source", std::move(text));
  return to_yaml(row);
}

BENCHMARK_CAPTURE(rounds, ranked, "{planner: ranked, placement: counting}")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rounds, ranked_with_locality, "{planner: ranked, placement: pack}")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rounds, greedy, "{planner: {name: greedy, round: 60 s}, placement: most_free}")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rounds, python, example())->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mimus::scheduler

int main(int argc, char** argv) {
  ::setenv(mimus::scheduler::kPythonModuleVariable, MIMUS_PYTHON_MODULE_FILE, 0);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
