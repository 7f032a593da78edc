// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/config_tree.hpp"
#include "base/random.hpp"
#include "scheduler/scheduler.hpp"

// What the scheduler costs per job, all its decisions together: arrival, start, first step and end,
// with preemption also every stop and restart. Times are those spent inside on_events, the events
// of one instant told at once, as the virtual engine does.
//
// Bounds, -O2, one core of 2 GHz or more: ≤1.5 µs per job where GPUs are interchangeable, ≤4 µs
// with locality on 352 × 8 GPUs, ≤8 µs for 2D-LAS with preemption on interchangeable GPUs; the same
// from 10^3 to 10^6 jobs, but for the misses of a cache that a long queue does not fit. Preemption
// with locality tries victims by placement and has no bound: it grows with the running jobs.

namespace mimus::scheduler {
namespace {

ClusterShape shape_of(int nodes, int gpus_per_node) {
  ClusterShape shape;
  shape.nodes = nodes;
  shape.gpus_per_node = gpus_per_node;
  shape.gpus_per_island = gpus_per_node;
  shape.nodes_per_rack = std::min(nodes, 32);
  shape.lanes_per_gpu = 2;
  shape.gpu_memory = Bytes{16e9};
  return shape;
}

/// Jobs like Philly's: most request one GPU, and few account for most of the run time.
class Jobs {
 public:
  JobView next(Instant arrival) {
    static constexpr int kGangs[] = {1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 16};
    JobView job;
    job.id = JobId{static_cast<std::int64_t>(work_.size())};
    job.name = "job";
    job.virtual_cluster = "11cb48";
    job.gang = kGangs[random_.below(12)];
    job.requested_batch = 32 * job.gang;
    job.model.per_gpu_batch_max = 64;
    job.model.total_batch_max = 4096;
    job.model.base_memory = Bytes{1e9 * static_cast<double>(2 + random_.below(6))};
    job.arrival = arrival;
    job.user_estimate = from_seconds(1.0 + random_.exponential(random_.below(8) > 0 ? 600 : 3e4));
    work_.push_back(job.user_estimate);
    return job;
  }
  /// Time until the next arrival, such that jobs request `load` times the GPUs.
  Duration gap(int gpus, double load) {
    constexpr double kMeanWork = 44.0 / 12.0 * (1.0 + 600.0 * 7 / 8 + 3e4 / 8);
    return from_seconds(random_.exponential(kMeanWork / (gpus * load)));
  }
  Duration& work(JobId job) { return work_[job.index()]; }

 private:
  RandomStream random_{1, "scheduler bench"};
  std::vector<Duration> work_;
};

/// Discrete events around a scheduler. First steps and stops take no time.
class Engine {
 public:
  Engine(const ClusterShape& shape, const std::string& yaml, bool accounts_waits)
      : gpus_(shape.gpus()),
        scheduler_(shape, read_policy(parse_yaml(yaml, "bench"), "policy", {})) {
    scheduler_.set_wait_accounting(accounts_waits);
  }

  /// Runs `count` jobs to their end. With a load of zero all arrive at once.
  void run(int count, double load) {
    Instant arrival{};
    for (int left = count; left > 0 || !ends_.empty();) {
      const Instant end = ends_.empty() ? kNever : ends_.top().at;
      now_ = std::min({left > 0 ? arrival : kNever, end, decision_.wake_up});
      for (; !ends_.empty() && ends_.top().at == now_; ends_.pop()) take_end(ends_.top());
      for (; left > 0 && arrival == now_; --left) {
        events_.emplace_back(JobArrived{jobs_.next(arrival)});
        if (load > 0.0) arrival += jobs_.gap(gpus_, load);
      }
      if (events_.empty() && decision_.wake_up == now_) events_.emplace_back(Timer{});
      while (!events_.empty()) tell();
    }
  }
  /// Ends the oldest attempt and brings a new job.
  void replace_one() {
    now_ += std::chrono::seconds(1);
    events_.emplace_back(JobArrived{jobs_.next(now_)});
    while (!started_.empty() && !is_running(started_.front())) started_.pop();
    if (!started_.empty()) end(started_.front(), EndReason::finished);
    while (!events_.empty()) tell();
  }
  void fill(int queued) {
    while (static_cast<int>(scheduler_.queued()) < queued) {
      events_.emplace_back(JobArrived{jobs_.next(now_)});
      while (!events_.empty()) tell();
    }
    inside_ = {};
  }

  [[nodiscard]] double seconds_inside() const { return to_seconds(inside_); }
  [[nodiscard]] int stops() const { return stops_; }

 private:
  struct End {
    Instant at{};
    AttemptId attempt;
    bool operator<(const End& other) const {
      return std::pair(at, attempt) > std::pair(other.at, other.attempt);
    }
  };
  struct Attempt {
    JobId job;
    Instant begin{};
    bool runs = false;
  };

  [[nodiscard]] bool is_running(AttemptId id) const { return attempts_[id.index()].runs; }
  void end(AttemptId id, EndReason reason) {
    Attempt& attempt = attempts_[id.index()];
    attempt.runs = false;
    jobs_.work(attempt.job) -= now_ - attempt.begin;
    events_.emplace_back(AttemptEnded{id, reason, "", 0.0});
  }
  void take_end(const End& planned) {
    if (is_running(planned.attempt)) end(planned.attempt, EndReason::finished);
  }

  void tell() {
    const WallInstant begin = wall_now();
    scheduler_.on_events(events_, now_, decision_);
    inside_ += wall_now() - begin;
    events_.clear();
    for (const Action& action : decision_.actions) {
      if (const auto* start = std::get_if<StartAttempt>(&action)) {
        attempts_.push_back({start->job, now_, true});
        ends_.push({now_ + jobs_.work(start->job), start->attempt});
        started_.push(start->attempt);
        events_.emplace_back(AttemptStarted{start->attempt});
      } else if (const auto* stop = std::get_if<StopAttempt>(&action)) {
        ++stops_;
        end(stop->attempt, EndReason::preempted);
      }
    }
  }

  int gpus_;
  Jobs jobs_;
  Scheduler scheduler_;
  std::vector<Attempt> attempts_;
  std::priority_queue<End> ends_;
  std::queue<AttemptId> started_;
  std::vector<Event> events_;
  Decision decision_;
  Instant now_{};
  Duration inside_{};
  int stops_ = 0;
};

struct Case {
  std::string row;
  int nodes = 1;
  int gpus_per_node = 512;
  bool accounts_waits = false;
};

const std::vector<Case>& cases() {
  static const std::string kLas = "order: {name: las, limits: [3600 s]}";
  static const std::string kStop = "preemption: {name: checkpoint, min_run: 0 s}";
  static const std::vector<Case> kCases{
      {"{order: {name: fifo, skip: true}, placement: counting}"},
      {"{order: {name: fifo, skip: true}, placement: pack}"},
      {"{order: fifo, placement: counting}", 1, 512, true},
      {"{order: sjf, placement: counting}"},
      {"{order: sjf, placement: counting}", 1, 512, true},
      {"{order: sjf, placement: consolidated}", 352, 8},
      {"{order: sjf, placement: strict}", 352, 8},
      {"{order: sjf, placement: strict}", 352, 8, true},
      {"{" + kLas + ", placement: counting, " + kStop + "}"},
      {"{" + kLas + ", placement: counting, " + kStop + "}", 1, 512, true},
      {"{order: srtf, placement: counting, " + kStop + "}"},
      {"{order: las, placement: counting, preemption: checkpoint}"},
      {"{" + kLas + ", placement: consolidated, " + kStop + "}", 352, 8},
      {"{order: sjf, placement: relaxed}", 352, 8},
      {"{order: sjf, sharing: tenants}", 352, 8},
  };
  return kCases;
}

void label(benchmark::State& state, const Case& what, const Engine& engine, double jobs) {
  state.counters["us_per_job"] = 1e6 * engine.seconds_inside() / jobs;
  state.counters["stops_per_job"] = engine.stops() / jobs;
  state.SetLabel(what.row + (what.accounts_waits ? " waits" : ""));
}

/// All jobs of a run. Second argument: number of jobs. Third: load in %, or zero for all jobs at
/// once, so that the queue is as long as the run.
void whole_run(benchmark::State& state) {
  const Case& what = cases()[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) {
    Engine engine(shape_of(what.nodes, what.gpus_per_node), what.row, what.accounts_waits);
    engine.run(static_cast<int>(state.range(1)), 0.01 * static_cast<double>(state.range(2)));
    state.SetIterationTime(engine.seconds_inside());
    label(state, what, engine, static_cast<double>(state.range(1)));
  }
}
BENCHMARK(whole_run)
    ->ArgsProduct({benchmark::CreateDenseRange(0, 12, 1), {1000, 10'000, 100'000}, {95}})
    ->ArgsProduct({{0, 3, 4, 5, 6, 8, 12}, {1000, 10'000, 100'000}, {0}})
    ->ArgsProduct({{0, 3, 8}, {1'000'000}, {95, 0}})
    ->ArgsProduct({{13, 14}, {1000, 10'000}, {95}})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// One job leaves and one arrives while a queue of the given length waits.
void steady_queue(benchmark::State& state) {
  const Case& what = cases()[static_cast<std::size_t>(state.range(0))];
  Engine engine(shape_of(what.nodes, what.gpus_per_node), what.row, what.accounts_waits);
  engine.fill(static_cast<int>(state.range(1)));
  double before = 0.0;
  double jobs = 0.0;
  for (auto _ : state) {
    engine.replace_one();
    state.SetIterationTime(engine.seconds_inside() - before);
    before = engine.seconds_inside();
    jobs += 1.0;
  }
  label(state, what, engine, jobs);
}
BENCHMARK(steady_queue)
    ->ArgsProduct({{0, 1, 3, 4, 6, 8, 12}, {1000, 10'000, 100'000, 1'000'000}})
    ->UseManualTime()
    ->Iterations(20'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mimus::scheduler

BENCHMARK_MAIN();
