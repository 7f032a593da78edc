// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "results/reader.hpp"
#include "scheduler/policy.hpp"

namespace mimus::emulator {
namespace {

/// An engine whose attempts take one second per step of ten windows, in order of time: enough to
/// drive the testbed without ranks.
class ScriptedEngine : public Engine {
 public:
  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] Instant now() const override { return now_; }

  void start(const Attempt& attempt) override {
    const double rate = static_cast<double>(attempt.allocation.slots.size());
    const double end_at =
        attempt.fail_at_samples >= 0 ? attempt.fail_at_samples : attempt.work_samples;
    const Duration run = from_seconds(std::max(1.0, (end_at - attempt.samples_done) / rate));
    const auto reason = attempt.fail_at_samples >= 0 ? scheduler::EndReason::failed
                                                     : scheduler::EndReason::finished;
    started.push_back(attempt);
    push(now_ + std::chrono::milliseconds{1}, scheduler::AttemptStarted{attempt.id});
    AttemptProgress progress{attempt.id, {}, end_at};
    progress.windows.push_back(window(attempt, now_, now_ + run, end_at - attempt.samples_done));
    push(now_ + run, progress);
    const double kept =
        reason == scheduler::EndReason::finished ? attempt.work_samples : attempt.samples_done;
    push(now_ + run, scheduler::AttemptEnded{attempt.id, reason, attempt.fail_reason, kept});
  }
  void stop(AttemptId attempt) override {
    const auto belongs = [&](const Pending& p) { return id_of(p.event) == attempt; };
    std::erase_if(events_, belongs);
    push(now_, scheduler::AttemptEnded{attempt, scheduler::EndReason::preempted, "", 0.0});
  }
  void retune(AttemptId, const scheduler::BatchPlan&) override {}

  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override {
    if (interrupt_at != kNever && deadline >= interrupt_at) {
      now_ = interrupt_at;
      throw InterruptedError("stopped by the test");
    }
    if (events_.empty() || events_.front().at > deadline) {
      EXPECT_NE(deadline, kNever) << "the testbed waits for something that never comes";
      if (deadline == kNever) throw InternalError("stuck");
      now_ = std::max(now_, deadline);
      return now_;
    }
    now_ = std::max(now_, events_.front().at);
    while (!events_.empty() && events_.front().at <= now_) {
      happened.push_back({now_, events_.front().event});
      events_.erase(events_.begin());
    }
    return now_;
  }

  std::vector<Attempt> started;
  Instant interrupt_at = kNever;

 private:
  struct Pending {
    Instant at;
    EngineEvent event;
  };
  static AttemptId id_of(const EngineEvent& event) {
    if (const auto* e = std::get_if<scheduler::AttemptStarted>(&event)) return e->attempt;
    if (const auto* e = std::get_if<AttemptProgress>(&event)) return e->attempt;
    if (const auto* e = std::get_if<scheduler::AttemptEnded>(&event)) return e->attempt;
    return {};
  }
  static StepWindow window(const Attempt& attempt, Instant begin, Instant end, double samples) {
    StepWindow out;
    out.begin = begin;
    out.end = end;
    out.steps = 10;
    out.batch = attempt.batch;
    out.samples = samples;
    out.progress_samples = samples;
    out.noise_scale = 100.0;
    out.step_mean = (end - begin) / 10;
    out.step_modelled = out.step_mean;
    out.device_busy = out.step_mean / 2;
    return out;
  }
  void push(Instant at, EngineEvent event) {
    const auto place = std::upper_bound(events_.begin(), events_.end(), at,
                                        [](Instant t, const Pending& p) { return t < p.at; });
    events_.insert(place, Pending{at, std::move(event)});
  }

  Instant now_{};
  std::vector<Pending> events_;
};

struct TestbedTest : testing::Test {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("mimus-testbed-" + std::to_string(::getpid()) + ".h5"))
                         .string();
  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  workloads::Workload workload;
  ScriptedEngine engine;
  TestbedSettings settings;

  void TearDown() override {
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".part");
  }

  void add_job(int gang, double seconds_alone, int arrival_s) {
    workloads::Job job;
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.name = "job";
    job.model = "resnet18";
    job.gang = gang;
    job.total_batch = 128 * gang;
    job.work_samples = seconds_alone * gang;  // the engine gives one sample per GPU and second
    job.arrival = Instant{} + std::chrono::seconds{arrival_s};
    workload.jobs.push_back(job);
  }

  scheduler::Scheduler make_scheduler(const std::string& policy, int lanes = 1) const {
    scheduler::ClusterShape shape;
    shape.gpus_per_node = 2;
    shape.gpus_per_island = 2;
    shape.lanes_per_gpu = lanes;
    shape.gpu_type = "T4";
    shape.gpu_memory = Bytes{16e9};
    return {shape, scheduler::read_policy(parse_yaml(policy, "policy"), "policy", {})};
  }

  void run(const std::string& policy = "{order: fifo}", int lanes = 1) {
    auto scheduler = make_scheduler(policy, lanes);
    results::Recorder recorder(path, {}, results::RecordLevel::full);
    workloads::WorkloadStream jobs(workload);
    JobTruths truths(models);
    Testbed testbed(jobs, truths, scheduler, engine, recorder, settings);
    try {
      testbed.run([](const RunProgress&) {});
    } catch (const InterruptedError&) {
      recorder.set_status("interrupted", "test");
      return;
    }
    recorder.complete();
  }

  template <class Row>
  std::vector<Row> rows(const std::string& suffix = "") const {
    return results::Reader(path + suffix).rows<Row>();
  }
};

TEST_F(TestbedTest, RecordsWaitsRunsAndCompletionTimes) {
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // Both GPUs are held from 0 to 10 s: the second job waits 9 s for capacity and ends at 15.
  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[0].jct, 10.0);
  EXPECT_DOUBLE_EQ(jobs[0].gpu_seconds, 20.0);
  EXPECT_DOUBLE_EQ(jobs[1].queueing, 9.0);
  EXPECT_DOUBLE_EQ(jobs[1].jct, 14.0);
  const auto waits = rows<results::QueueDelayRow>();
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].cause, "capacity");
  EXPECT_DOUBLE_EQ(waits[0].begin, 1.0);
  EXPECT_DOUBLE_EQ(waits[0].end, 10.0);
}

TEST_F(TestbedTest, AccountsGpuTimeHeldAndBusy) {
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // The lone job of 5 s adds to one of the two GPUs. Kernels are resident half of the time.
  const auto gpus = rows<results::GpuRow>();
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_DOUBLE_EQ(gpus[0].held + gpus[1].held, 25.0);
  EXPECT_DOUBLE_EQ(gpus[0].busy + gpus[1].busy, 12.5);
  EXPECT_DOUBLE_EQ(gpus[0].shared + gpus[1].shared, 0.0);
}

TEST_F(TestbedTest, AFailedAttemptIsRetriedFromItsLastCheckpoint) {
  add_job(1, 10, 0);
  workload.jobs[0].failures.failures = {{.at_progress = 0.4, .reason = "lost"}};

  run("{recovery: {name: retry, retries: 2, delay: 3 s}}");

  // Fails after 4 s, waits 3 s, runs its whole 10 s again.
  const auto attempts = rows<results::AttemptRow>();
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].reason, "failed");
  EXPECT_EQ(attempts[0].detail, "lost");
  EXPECT_DOUBLE_EQ(attempts[1].begin, 7.0);
  EXPECT_DOUBLE_EQ(rows<results::JobRow>()[0].end, 17.0);
  EXPECT_EQ(rows<results::JobRow>()[0].failures, 1);
}

TEST_F(TestbedTest, WithRoundsDecidesAtMultiplesOfTheRoundOnly) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // The first job ends at 10 s; its GPUs are handed out when the round ends, at 12 s.
  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[0].jct, 10.0);
  EXPECT_DOUBLE_EQ(jobs[1].first_start, 12.0);
  EXPECT_DOUBLE_EQ(jobs[1].end, 17.0);
  for (const auto& decision : rows<results::DecisionRow>()) {
    EXPECT_DOUBLE_EQ(std::fmod(decision.time, 4.0), 0.0);
  }
}

TEST_F(TestbedTest, AnInterruptedRunKeepsEverythingUpToThen) {
  add_job(2, 10, 0);
  add_job(1, 5, 1);
  engine.interrupt_at = Instant{} + std::chrono::seconds{4};

  run();

  const auto jobs = rows<results::JobRow>(".part");
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].outcome, "unfinished");
  EXPECT_DOUBLE_EQ(jobs[0].running, 4.0);
  EXPECT_DOUBLE_EQ(jobs[1].queueing, 3.0);
  EXPECT_EQ(rows<results::AttemptRow>(".part")[0].reason, "cut_off");
}

TEST_F(TestbedTest, EveryJobOfARandomWorkloadRunsToItsEndExactlyOnce) {
  RandomStream random(1, "testbed");
  for (int i = 0; i < 60; ++i) {
    add_job(static_cast<int>(1 + random.below(2)), random.uniform(1, 30), i);
  }

  run("{order: {name: fifo, skip: true}, sharing: {name: tenants, per_gpu: 2}}", 2);

  std::map<std::int64_t, int> finished;
  for (const auto& attempt : rows<results::AttemptRow>()) {
    finished[attempt.job] += attempt.reason == "finished" ? 1 : 0;
    EXPECT_LT(attempt.begin, attempt.end);
  }
  EXPECT_EQ(finished.size(), 60U);
  for (const auto& [job, count] : finished) EXPECT_EQ(count, 1) << job;
  for (const auto& u : rows<results::UtilisationRow>()) {
    EXPECT_LE(u.gpus_held, 2);
    EXPECT_LE(u.tenants, 4);
  }
}

TEST_F(TestbedTest, NoLaneIsHeldTwiceAtATime) {
  RandomStream random(2, "testbed");
  for (int i = 0; i < 60; ++i) {
    add_job(static_cast<int>(1 + random.below(2)), random.uniform(1, 30), i);
  }

  run("{order: {name: fifo, skip: true}, sharing: {name: tenants, per_gpu: 2}}", 2);

  // Spans are half-open: the next tenant of a lane may begin at the very end of the last.
  std::map<std::int64_t, std::vector<std::pair<double, double>>> lanes;
  for (const auto& p : rows<results::PlacementRow>()) lanes[p.lane].push_back({p.begin, p.end});
  EXPECT_EQ(lanes.size(), 4U);
  for (auto& [lane, spans] : lanes) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) {
      EXPECT_GE(spans[i].first, spans[i - 1].second) << lane;
    }
  }
}

}  // namespace
}  // namespace mimus::emulator
