// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "base/random.hpp"
#include "base/text_file.hpp"
#include "scheduler/fit/throughput_model.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "scheduler/python/plan_script.hpp"
#include "scheduler/scheduler.hpp"
#include "tests/bench/timed_planner.hpp"

// What a plan for 1,000 jobs on 512 x 8 GPUs costs when every job goes on as before. `plan`: the
// planner; `reconcile`: the rest of the decision, which shows it the jobs, checks the plan,
// compares it with what runs and explains why others wait.
//
// Bounds, -O2, one core of 2 GHz or more: plan of ranked and greedy <= 1 ms, of the example in
// Python <= 20 ms; reconcile <= 0.2 ms; plan of search <= 20 ms for 160 jobs on 16 x 4 GPUs and
// <= 1 s for 1,000 jobs on 1,024 x 4, when every job has new measurements in every round; plan of
// gavel
// <= 1 s for 1,000 jobs on four types of 1,024 GPUs when all fractions are computed anew; plan of
// sia <= 1 s for as many jobs on them, when every job has new measurements in every round; plan of
// shockwave <= 1 s for 1,000 jobs on 4,096 GPUs when a window begins.

namespace mimus::scheduler {
namespace {

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

/// Steps of one second on one GPU. Nine tenths of a step are divided among the gang.
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

/// Steps that differ from job to job, and take longer on GPU types with higher numbers.
ThroughputModel steps_of(JobId job, int type) {
  const double slow = 1.0 + type * (0.4 + 0.1 * static_cast<double>(job.value() % 5));
  ThroughputModel model;
  model.alpha_c = slow * (0.02 + 0.002 * static_cast<double>(job.value() % 11));
  model.beta_c = slow * 0.001;
  model.alpha_r = 0.01;
  model.beta_r = 0.0005;
  model.alpha_n = 0.03 + 0.004 * static_cast<double>(job.value() % 7);
  model.beta_n = 0.001;
  model.gamma = 2.0;
  return model;
}

/// What the agent of a running job measures. Its noise scale grows by a tenth per minute, and its
/// loss falls from 1 to 0.2 in ten hours.
ProgressReported report_of(const JobView& job, const ClusterShape& cluster, Instant now) {
  const ThroughputModel model = steps_of(job.id, cluster.type_of(job.allocation.slots.front().gpu));
  std::set<NodeId> nodes;
  for (const Slot& slot : job.allocation.slots) nodes.insert(cluster.node_of(slot.gpu));
  JobSample sample;
  sample.begin = now - std::chrono::seconds{30};
  sample.end = now;
  sample.steps = 100;
  sample.gpus = job.gpus();
  sample.nodes = static_cast<int>(nodes.size());
  sample.batch = job.batch;
  const double step = model.step_time(sample.nodes, sample.gpus, {job.batch.per_gpu, 1});
  const double compute = model.compute_time(static_cast<double>(job.batch.per_gpu));
  sample.sync = from_seconds(step - compute);
  sample.step = from_seconds(step + (job.batch.accumulation - 1) * compute);
  ProgressReported report{job.attempt, {}, {sample}};
  const double hours = to_seconds(now.time_since_epoch()) / 3600.0;
  report.samples[0].loss = 1.0 / (8.0 / 0.9 / 10.0 * hours + 1.0 / 0.9) + 0.1;
  report.samples[0].samples_done = report.progress.samples_done = 1e5 * hours;
  report.progress.noise_scale = 300.0 + 0.5 * to_seconds(now.time_since_epoch()) +
                                100.0 * static_cast<double>(job.id.value() % 13);
  return report;
}

/// The same of each job on any type, as a profile that costs next to nothing to look at.
class KnownSteps final : public ThroughputEstimate {
 public:
  [[nodiscard]] std::string name() const override { return "known"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string& model,
                                                  const Allocation& allocation,
                                                  const BatchPlan& batch) const override {
    const auto gpus = static_cast<int>(allocation.slots.size());
    const auto type = static_cast<int>(allocation.slots.front().gpu.value() / 1024);
    const JobId job{std::stoll(model)};  // each job is a model of its own
    return from_seconds(steps_of(job, type).step_time((gpus + 7) / 8, gpus, batch));
  }
};

/// Jobs that never end under a row that learns from reports, on nodes of four GPUs.
class ReportedRounds {
 public:
  ReportedRounds(const std::string& row, ClusterShape cluster, int jobs)
      : cluster_(std::move(cluster)), jobs_(jobs) {
    Policy policy =
        read_policy(parse_yaml(row, "bench"), "policy",
                    {.throughput = std::make_shared<KnownSteps>(), .oracle = nullptr, .seed = 1});
    policy.planner = std::make_unique<TimedPlanner>(std::move(policy.planner), planning_);
    scheduler_ = std::make_unique<Scheduler>(cluster_, std::move(policy));
    RandomStream random(1, "planner bench");
    for (int id = 0; id < jobs; ++id) {
      JobView view = job(id, random);
      view.model.name = std::to_string(id);
      view.model.reference_batch = 32;
      view.model.per_gpu_batch_min = 8;
      view.model.per_gpu_batch_max = 256;
      view.model.target_loss = 0.2;
      view.epoch_samples = 1e4;
      events_.emplace_back(JobArrived{std::move(view)});
    }
  }

  /// One plan and what follows until the next plan. Returns why the plan was refused, or "".
  std::string round() {
    Decision decision = scheduler_->on_events(std::span<const Event>(events_), now_);
    std::string refused = decision.refused_plan;
    for (events_ = answers(decision); !events_.empty(); events_ = answers(decision)) {
      decision = scheduler_->on_events(std::span<const Event>(events_), now_);
    }
    now_ += std::chrono::seconds{60};
    for (int id = 0; id < jobs_; ++id) {
      const JobView& view = scheduler_->job(JobId{id});
      if (view.holds_gpus()) events_.emplace_back(report_of(view, cluster_, now_));
    }
    return refused;
  }
  [[nodiscard]] double plan_ms() const { return to_seconds(planning_) * 1e3; }
  [[nodiscard]] int gpus_held() const {
    return cluster_.gpus() - scheduler_->cluster().idle_gpus();
  }

 private:
  ClusterShape cluster_;
  int jobs_;
  Duration planning_{};
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Event> events_;
  Instant now_{};
};

ClusterShape nodes_of_four(int nodes) {
  ClusterShape cluster = shape();
  cluster.nodes = cluster.nodes_per_rack = nodes;
  cluster.gpus_per_node = cluster.gpus_per_island = 4;
  return cluster;
}

void reported_rounds(benchmark::State& state, const std::string& row, const ClusterShape& cluster,
                     int jobs) {
  ReportedRounds rounds(row, cluster, jobs);
  double plan_ms = 0.0;
  double longest_ms = 0.0;
  for (auto _ : state) {
    if (const std::string refused = rounds.round(); !refused.empty()) {
      state.SkipWithError(refused.c_str());
    }
    plan_ms += rounds.plan_ms();
    longest_ms = std::max(longest_ms, rounds.plan_ms());
  }
  state.counters["plan_ms"] = benchmark::Counter(plan_ms, benchmark::Counter::kAvgIterations);
  state.counters["longest_ms"] = longest_ms;
  state.counters["gpus_held"] = rounds.gpus_held();
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
  const std::string optimus =
      "{preset: optimus, planner: {name: greedy, round: 60 s, by: estimate}}";
  for (const std::string row : {"pollux", "slaq", "optimus", "ones", "sia"}) {
    for (const auto& [nodes, jobs] : {std::pair{16, 160}, std::pair{1024, 1000}}) {
      const std::string name = row + "/of_" + std::to_string(jobs) + "_jobs";
      benchmark::RegisterBenchmark(name.c_str(), mimus::scheduler::reported_rounds,
                                   row == "optimus" ? optimus : row,
                                   mimus::scheduler::nodes_of_four(nodes), jobs)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(jobs == 160 ? 30 : 10);
    }
  }
  for (const std::string estimate : {"fitted", "profile"}) {
    benchmark::RegisterBenchmark(
        ("sia/of_1000_jobs_on_four_types/" + estimate).c_str(), mimus::scheduler::reported_rounds,
        "{preset: sia, estimate: " + estimate + "}", mimus::scheduler::four_types(), 1000)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(20);
  }
  mimus::scheduler::register_gavel();
  mimus::scheduler::register_shockwave();
  ::setenv(mimus::scheduler::kPythonModuleVariable, MIMUS_PYTHON_MODULE_FILE, 0);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
