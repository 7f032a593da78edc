// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/random.hpp"
#include "testbed_run.hpp"

namespace mimus::emulator::test {
namespace {

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

// Two at a time on two GPUs, where a job beside another one takes as long: 0 and 1 at once, 2 when
// 1 has left, 3 when 0 has, whatever arrivals are stated.
TEST_F(TestbedTest, InAClosedLoopAJobArrivesWhenAnotherOneLeaves) {
  add_job(1, 10, 0);
  add_job(1, 4, 0);
  add_job(1, 20, 0);
  add_job(1, 3, 1000);
  settings.jobs_at_once = 2;

  run();

  std::map<std::int64_t, double> arrivals;
  for (const auto& job : rows<results::JobRow>()) {
    arrivals[job.job] = job.arrival;
    EXPECT_DOUBLE_EQ(job.queueing, 0.0);
  }
  EXPECT_EQ(arrivals, (std::map<std::int64_t, double>{{0, 0.0}, {1, 0.0}, {2, 4.0}, {3, 10.0}}));
}

TEST_F(TestbedTest, InAClosedLoopAJobThatIsGivenUpMakesRoomToo) {
  add_job(1, 10, 0);
  add_job(1, 5, 0);
  workload.jobs[0].failures.failures = {{.at_progress = 0.4, .reason = "lost"}};
  settings.jobs_at_once = 1;

  run("{recovery: {name: retry, retries: 0}}");

  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].outcome, "failed");
  EXPECT_DOUBLE_EQ(jobs[1].arrival, 4.0);
  EXPECT_DOUBLE_EQ(jobs[1].end, 9.0);
}

TEST_F(TestbedTest, AccountsGpuTimeHeldAndBusy) {
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // The lone job of 5 s uses one of the two GPUs. Kernels are resident half of the time.
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
  const auto job = rows<results::JobRow>().at(0);
  EXPECT_EQ(job.failures, 1);
  EXPECT_DOUBLE_EQ(job.progress_samples, 14.0);
  EXPECT_DOUBLE_EQ(job.lost_samples, 4.0);
  EXPECT_DOUBLE_EQ(job.lost_seconds, 4.0);  // at a sample per second
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

  // Spans are half-open: the next tenant of a lane may begin at the end of the previous one.
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

// Job 2 makes its first step at the instant at which job 0 is no longer held back.
TEST_F(TestbedTest, AWaitChangesItsCauseAlsoWhereAnAttemptStarts) {
  add_job(1, 20, 0);
  add_job(1, 60, 0);
  add_job(1, 30, 1);
  workload.jobs[0].failures.failures = {{.at_progress = 0.5, .reason = "lost"}};

  run("{recovery: {name: retry, retries: 1, delay: 1 ms}}");

  const auto jobs = rows<results::JobRow>();
  const auto failed = std::find_if(jobs.begin(), jobs.end(),
                                   [](const results::JobRow& job) { return job.job == 0; });
  ASSERT_NE(failed, jobs.end());
  EXPECT_DOUBLE_EQ(failed->wait_backoff, 0.001);
  EXPECT_NEAR(failed->wait_capacity, 30.0 - 0.001, 1e-9);
}

}  // namespace
}  // namespace mimus::emulator::test
