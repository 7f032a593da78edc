// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Profiling, packing by scores and the order of the main queue (Lucid, ASPLOS'23).
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "builders.hpp"
#include "driver.hpp"
#include "random_run.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kTiny = 0.3;
constexpr double kMedium = 0.6;
constexpr double kJumbo = 0.9;

/// Packs under any load. The first node is the profiler.
Policy lucid(const std::string& settings = "light_load: 0, full_load: 0") {
  return policy(fmt::format("{{planner: {{name: lucid, {}}}, placement: consolidated}}", settings));
}

Truth truth(double work, double utilisation) {
  return {.work = seconds(work), .utilisation = utilisation};
}

/// When the second of two jobs starts in the main queue. Each is profiled for 200 s, one after the
/// other; the first one then has the only other GPU until 1000 s.
Instant second_starts(double first, double second, Policy policy = lucid()) {
  Driver driver(shape(2, 1, 2), std::move(policy), {});
  driver.report_every(seconds(20));
  driver.submit(job(0), truth(1000, first));
  driver.submit(job(1), truth(1000, second));
  driver.run();
  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).runs.at(1), std::pair(at(200), at(1000)));
  return driver.outcome(1).runs.at(1).first;
}

/// How many jobs were on a GPU at most, over a whole run.
std::size_t most_tenants(Driver& driver) {
  std::size_t most = 0;
  driver.watch([&](std::span<const Event>, Instant, const Decision&) {
    for (const GpuState& gpu : driver.scheduler().cluster().gpus()) {
      most = std::max(most, gpu.tenants.size());
    }
  });
  driver.run();
  EXPECT_THAT(driver.violations(), IsEmpty());
  return most;
}

TEST(Lucid, PairsWhoseScoresAddUpToTwoArePacked) {
  const Instant packed = at(400);
  const Instant waited = at(1000);
  EXPECT_EQ(second_starts(kMedium, kMedium), packed);
  EXPECT_EQ(second_starts(kTiny, kJumbo), packed);
  EXPECT_EQ(second_starts(kJumbo, kTiny), packed);
  EXPECT_EQ(second_starts(kMedium, kJumbo), waited);
  EXPECT_EQ(second_starts(kJumbo, kJumbo), waited);
}

TEST(Lucid, CapacityFallsWithThePredictedLoad) {
  const char* light = "light_load: 5, full_load: 5";
  const char* between = "light_load: 0, full_load: 5";
  EXPECT_EQ(second_starts(kTiny, kTiny, lucid(light)), at(400));
  EXPECT_EQ(second_starts(kTiny, kMedium, lucid(light)), at(1000));
  EXPECT_EQ(second_starts(kTiny, kMedium, lucid(between)), at(400));
  EXPECT_EQ(second_starts(kMedium, kMedium, lucid(between)), at(1000));
}

TEST(Lucid, JobsWithOtherNumbersOfGpusAreNeverPacked) {
  Driver driver(shape(2, 2, 2), lucid(), {});
  driver.report_every(seconds(20));
  driver.submit(job(0, 2), truth(1000, kTiny));
  driver.submit(job(1, 1), truth(1000, kTiny));

  EXPECT_EQ(most_tenants(driver), 1U);
}

TEST(Lucid, JobsThatEndOnTheProfilerNeverReachTheMainQueue) {
  Driver driver(shape(2, 1, 2), lucid(), {});
  for (int id = 0; id < 4; ++id) driver.submit(job(id), truth(100, kTiny));

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  for (int id = 0; id < 4; ++id) {
    EXPECT_THAT(driver.outcome(id).runs, ElementsAre(std::pair(at(100 * id), at(100 * id + 100))));
  }
}

TEST(Lucid, NobodyIsPackedWhileAGpuIsFree) {
  Driver driver(shape(2, 2, 2), lucid(), {});
  driver.report_every(seconds(20));
  for (int id = 0; id < 2; ++id) driver.submit(job(id), truth(1000, kTiny));

  EXPECT_EQ(most_tenants(driver), 1U);
  EXPECT_EQ(driver.outcome(1).end, at(1000));
}

TEST(Lucid, ProfilesJobsWithTheFewestGpusFirst) {
  Driver driver(shape(2, 2, 2), lucid(), {});
  driver.submit(job(0, 2), truth(100, kTiny));
  driver.submit(job(1, 2, 1), truth(100, kTiny));
  driver.submit(job(2, 1, 2), truth(100, kTiny));

  driver.run();

  EXPECT_EQ(driver.outcome(2).runs.at(0).first, at(100));
  EXPECT_EQ(driver.outcome(1).runs.at(0).first, at(200));
}

TEST(Lucid, LargeJobsSkipTheProfiler) {
  Driver driver(shape(5, 4, 2), lucid("most_gpus: 2"), {});
  driver.submit(job(0, 3), truth(1000, kTiny));
  driver.submit(job(1, 16, 1), truth(1000, kTiny));

  driver.run();

  EXPECT_THAT(driver.outcome(0).runs, ElementsAre(std::pair(at(0), at(1000))));
  EXPECT_THAT(driver.outcome(1).runs, ElementsAre(std::pair(at(1000), at(2000))));
}

// The whole cluster, once nobody is on the profiler.
TEST(Lucid, AGangThatTheMainQueueHasTooFewGpusForTakesThoseOfTheProfiler) {
  Driver driver(shape(2, 2, 2), lucid(), {});
  driver.submit(job(0, 1), truth(100, kTiny));
  driver.submit(job(1, 4, 1), truth(1000, kTiny));

  driver.run();

  EXPECT_THAT(driver.outcome(1).runs, ElementsAre(std::pair(at(100), at(1100))));
}

TEST(Lucid, TheMainQueueGoesByGpusTimesPredictedRunTime) {
  Driver driver(shape(3, 2, 2), lucid("nodes: 0, light_load: 0"), {});
  driver.submit(estimated(0, 6, 0, 10), truth(10, kTiny));
  driver.submit(estimated(1, 6, 1, 100), truth(100, kTiny));
  driver.submit(estimated(2, 5, 2, 130), truth(130, kTiny));
  driver.submit(estimated(3, 4, 3, 120), truth(120, kTiny));

  driver.run();

  EXPECT_EQ(driver.outcome(3).runs.at(0).first, at(10));
  EXPECT_EQ(driver.outcome(1).runs.at(0).first, at(130));
  EXPECT_EQ(driver.outcome(2).runs.at(0).first, at(230));
}

TEST(Lucid, QuotasOfVirtualClustersHold) {
  Driver driver(shape(2, 2, 2),
                policy("{planner: {name: lucid, nodes: 0}, placement: consolidated, "
                       "admission: {name: quota, gpus: {red: 1}}}"),
                {});
  driver.submit(job_of("red", 0), truth(100, kTiny));
  driver.submit(job_of("red", 1), truth(100, kTiny));
  driver.submit(job_of("blue", 2), truth(100, kTiny));

  driver.run();

  EXPECT_EQ(driver.outcome(1).end, at(200));
  EXPECT_EQ(driver.outcome(2).end, at(100));
}

/// Two tiny jobs, packed on GPU 2, of which job 1 came later. Job 2, of which nothing was measured,
/// has GPU 1. GPU 0 is the profiler.
class LucidPair : public ::testing::Test {
 protected:
  void SetUp() override {
    come(2, 1, false);
    come(0, 2, true);
    come(1, 2, true);
  }

  /// Passes through the profiler and starts on a GPU of the main queue.
  void come(int id, int gpu, bool reports) {
    JobView view = job(id);
    view.model.name = fmt::format("model {}", id);
    tell(JobArrived{view});
    train(id);
    if (reports) report(id, 0, 0.01);
    now_ += 200;
    EXPECT_EQ(actions_of<StopAttempt>(tell(Timer{})).size(), 1U);
    const Decision decision = end(id, EndReason::preempted);
    EXPECT_THAT(gpus_of(actions_of<StartAttempt>(decision).at(0).allocation), ElementsAre(gpu));
    train(id);
  }
  Decision tell(const Event& event) { return scheduler_.on_event(event, at(now_)); }
  AttemptId attempt(int id) { return scheduler_.job(JobId{id}).attempt; }
  void train(int id) { tell(AttemptStarted{attempt(id)}); }
  Decision end(int id, EndReason reason) { return tell(AttemptEnded{attempt(id), reason, "", 0}); }
  void report(int id, int co_tenants, double step) {
    JobSample sample{.begin = at(now_), .end = at(now_ + 1), .steps = 1, .batch = {32, 1}};
    sample.step = seconds(step);
    sample.utilisation = kTiny;
    sample.co_tenants = co_tenants;
    tell(ProgressReported{attempt(id), {}, {sample}});
  }

  Scheduler scheduler_{shape(3, 1, 2), lucid()};
  double now_ = 0;
};

TEST_F(LucidPair, StaysTogetherWhileItsMeanSpeedIsHighEnough) {
  report(0, 1, 0.01 / 0.75);
  report(1, 1, 0.01 / 0.96);
  const Decision decision = end(2, EndReason::finished);
  EXPECT_THAT(decision.actions, IsEmpty());
}

TEST_F(LucidPair, PartsAtTheNextFreeGpuOnceItIsSlow) {
  report(0, 1, 0.01 / 0.75);
  report(1, 1, 0.01 / 0.94);
  EXPECT_THAT(tell(Timer{}).actions, IsEmpty());

  const auto stops = actions_of<StopAttempt>(end(2, EndReason::finished));
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].attempt, attempt(1));
  const auto starts = actions_of<StartAttempt>(end(1, EndReason::preempted));
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(1));
}

TEST_F(LucidPair, IsNotMadeAgainOnceOneRanOutOfMemory) {
  end(1, EndReason::out_of_memory);
  now_ += 3600;
  tell(Timer{});
  EXPECT_EQ(scheduler_.job(JobId{1}).state, JobState::queued);

  const auto starts = actions_of<StartAttempt>(end(2, EndReason::finished));

  ASSERT_EQ(starts.size(), 1U);
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(1));
}

TEST(Lucid, ThresholdsOfScoresAscend) {
  EXPECT_THROW(lucid("tiny_below: 0.7, medium_below: 0.6"), ConfigError);
}

TEST(Lucid, ItsPlansAreNeverRefusedInRandomRuns) {
  const Row row{{"planner", "{name: lucid, limit: 15 s, interval: 5 s, light_load: 0}"},
                {"admission", "quota"},
                {"recovery", "{name: retry, delay: 5 s}"}};
  int packed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomRun run = random_run(row, seed, 30);
    run.driver.watch([&](std::span<const Event>, Instant, const Decision& decision) {
      EXPECT_EQ(decision.refused_plan, "") << seed;
      for (const GpuState& gpu : run.driver.scheduler().cluster().gpus()) {
        packed += gpu.tenants.size() > 1 ? 1 : 0;
      }
    });
    run.driver.run();
    EXPECT_THAT(run.driver.violations(), IsEmpty()) << seed;
    EXPECT_EQ(run.driver.scheduler().unfinished(), 0U) << seed;
  }
  EXPECT_GT(packed, 0);
}

}  // namespace
}  // namespace mimus::scheduler::test
