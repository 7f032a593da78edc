// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "testbed_run.hpp"

namespace mimus::emulator::test {
namespace {

TEST_F(TestbedTest, WithRoundsDecidesAtMultiplesOfTheRoundOnly) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // The first job ends at 10 s. Its GPUs are assigned when the round ends, at 12 s.
  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[0].jct, 10.0);
  EXPECT_DOUBLE_EQ(jobs[1].first_start, 12.0);
  EXPECT_DOUBLE_EQ(jobs[1].end, 17.0);
  for (const auto& decision : rows<results::DecisionRow>()) {
    EXPECT_DOUBLE_EQ(std::fmod(decision.time, 4.0), 0.0);
  }
}

TEST_F(TestbedTest, ARoundEndsOnAClockThatIsALittleLate) {
  settings.round = std::chrono::seconds{4};
  engine.late = std::chrono::milliseconds{10};
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[0].first_start, 0.01);
  EXPECT_DOUBLE_EQ(jobs[1].first_start, 12.01);
  EXPECT_DOUBLE_EQ(jobs[1].wait_round, 3.01);
}

// At 4 s, when the scheduler hears of the first steps of jobs 0 and 1, job 0 has 6 s left.
TEST_F(TestbedTest, WithRoundsTheTimeOfAFirstStepIsThatOfTheStep) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 0);
  add_job(2, 7, 1);
  workload.jobs[0].user_estimate = std::chrono::seconds{10};
  workload.jobs[1].user_estimate = std::chrono::seconds{7};

  run("{order: srtf, preemption: {name: checkpoint, min_run: 0 s}}");

  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].preemptions, 0);
  EXPECT_DOUBLE_EQ(jobs[0].end, 10.0);
  EXPECT_DOUBLE_EQ(jobs[1].first_start, 12.0);
}

TEST_F(TestbedTest, WithRoundsChargesEveryWaitToACause) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 0);
  add_job(1, 5, 1);
  workload.jobs[1].failures.failures = {{.at_progress = 0.2, .reason = "lost"}};

  run("{recovery: {name: retry, retries: 1, delay: 2 s}}");

  // The second job arrives at 1 s. The scheduler hears of it at 4 s, when the first job holds both
  // GPUs. It starts at 12 s and fails at 13 s, which is heard at 16 s. It is held back until 18 s,
  // and the next round begins at 20 s.
  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[1].wait_round, 3.0 + 3.0);
  EXPECT_DOUBLE_EQ(jobs[1].wait_capacity, 8.0);
  EXPECT_DOUBLE_EQ(jobs[1].wait_backoff, 4.0);
  EXPECT_DOUBLE_EQ(jobs[1].queueing, 18.0);
  EXPECT_DOUBLE_EQ(jobs[1].jct, jobs[1].queueing + jobs[1].running);
  const auto waits = rows<results::QueueDelayRow>();
  ASSERT_EQ(waits.size(), 4U);
  EXPECT_EQ(waits[0].cause, "round");
  EXPECT_DOUBLE_EQ(waits[0].begin, 1.0);
  EXPECT_DOUBLE_EQ(waits[0].end, 4.0);
}

TEST_F(TestbedTest, WithRoundsWaitsAreTheSameAtEveryLevel) {
  settings.round = std::chrono::seconds{4};
  level = results::RecordLevel::jobs;
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[1].wait_round, 3.0);
  EXPECT_DOUBLE_EQ(jobs[1].wait_capacity, 8.0);
  EXPECT_DOUBLE_EQ(jobs[1].queueing, 11.0);
}

TEST_F(TestbedTest, WithRoundsEventsAreInOrderOfTime) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 6, 0);
  add_job(1, 5, 5);  // before the first one ends, at 6 s

  run();

  double last = 0.0;
  for (const auto& event : rows<results::EventRow>()) {
    EXPECT_GE(event.time, last) << event.kind;
    last = event.time;
  }
}

TEST_F(TestbedTest, WithRoundsGpusAreUpFromTheFirstArrivalOn) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 1);

  run();

  // From 1 s to 14 s; the job starts when the round ends, at 4 s.
  const auto totals = rows<results::TotalRow>();
  const auto up = std::find_if(totals.begin(), totals.end(),
                               [](const auto& total) { return total.metric == "gpu_up_seconds"; });
  ASSERT_NE(up, totals.end());
  EXPECT_DOUBLE_EQ(up->value, 2 * 13.0);
  EXPECT_DOUBLE_EQ(rows<results::UtilisationRow>().at(0).begin, 1.0);
}

TEST_F(TestbedTest, WithRoundsAJobOfARunThatIsStoppedHasWaitedForTheRound) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 6, 0);
  add_job(1, 5, 5);
  engine.interrupt_at = Instant{} + std::chrono::seconds{7};

  run();

  const auto jobs = rows<results::JobRow>(".part");
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[1].outcome, "unfinished");
  EXPECT_DOUBLE_EQ(jobs[1].wait_round, 2.0);
}

TEST_F(TestbedTest, WithRoundsGpusAreHeldUntilTheirAttemptEndsAndNotUntilTheRoundDoes) {
  settings.round = std::chrono::seconds{4};
  add_job(2, 10, 0);
  add_job(1, 5, 1);

  run();

  // Two GPUs until 10 s, and one from 12 s to 17 s.
  double held = 0.0;
  double running = 0.0;
  for (const auto& span : rows<results::UtilisationRow>()) {
    held += static_cast<double>(span.gpus_held) * (span.end - span.begin);
    running += static_cast<double>(span.running_jobs) * (span.end - span.begin);
  }
  EXPECT_DOUBLE_EQ(held, 25.0);
  EXPECT_DOUBLE_EQ(running, 15.0);
}

// The first ends at 7 s. Of the second the scheduler hears at the end of the round.
TEST_F(TestbedTest, InRoundsAClosedLoopGoesOnWithTheNextRound) {
  add_job(1, 7, 0);
  add_job(1, 5, 0);
  settings.round = std::chrono::seconds{10};
  settings.jobs_at_once = 1;

  run();

  const auto jobs = rows<results::JobRow>();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[1].arrival, 7.0);
  EXPECT_DOUBLE_EQ(jobs[1].first_start, 10.0);
}

}  // namespace
}  // namespace mimus::emulator::test
