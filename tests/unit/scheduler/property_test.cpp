// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "random_run.hpp"

namespace mimus::scheduler::test {
namespace {

/// Everything that a run violates, as text, or "".
std::string broken_promises(Driver& driver) {
  driver.run(20'000);
  std::string text;
  for (const auto& violation : driver.violations()) text += violation + "\n";
  for (const auto& [id, outcome] : driver.outcomes()) {
    if (outcome.finished == outcome.given_up) {
      text += fmt::format("job {} has not left the system exactly once\n", id.value());
    }
    for (std::size_t i = 1; i < outcome.runs.size(); ++i) {
      if (outcome.runs[i].first < outcome.runs[i - 1].second) {
        text += fmt::format("job {} has overlapping runs\n", id.value());
      }
    }
  }
  const Cluster& cluster = driver.scheduler().cluster();
  if (cluster.idle_gpus() != cluster.shape().gpus()) text += "GPUs are held after the end\n";
  if (driver.scheduler().unfinished() != 0) text += "jobs are counted as unfinished\n";
  return text;
}

constexpr const char* kAntman =
    "{name: antman, idle: 10 s, interval: 3 s, opportunistic: 2, busy: 1.0, full: 1.0}";

TEST(SchedulerProperties, HoldForEveryTwoChoicesTogether) {
  std::uint64_t seed = 0;
  for (const Row& row : covering_rows()) {
    RandomRun run = random_run(row, ++seed, 8);

    EXPECT_EQ(broken_promises(run.driver), "") << yaml_of(row) << " seed " << seed;
  }
}

// A job is promoted, and free of its limit, when another one on its GPU has yet to obey a new one.
TEST(SchedulerProperties, HoldWhereAPromotedJobWaitsForMemory) {
  const Row row{{"admission", "{name: quota, gpus: {red: 3, blue: 5}, others: 6, borrow: true}"},
                {"estimate", "profile"},
                {"planner", kAntman},
                {"power", "ces"},
                {"sharing", "{name: fraction, per_gpu: 3, prefer: idle}"}};
  RandomRun run = random_run(row, 337, 8);

  EXPECT_EQ(broken_promises(run.driver), "");
}

// It gets a lower limit and is suspended by one plan, and another job starts in the memory between.
TEST(SchedulerProperties, HoldWhereASuspendedJobGivesMemoryBack) {
  const Row row{
      {"admission", "{name: quota, gpus: {red: 3, blue: 5}, others: 6}"},
      {"cache", "robus"},
      {"estimate", "epochs"},
      {"planner", kAntman},
      {"power",
       "{name: ces, step: 20 s, boot: 5 s, history: 1, future: 1, drop: 0.1, future_drop: 0, "
       "least: 1, buffer: 0, keep: 1, warm_up: 1, forecast: flat}"},
      {"recovery", "{name: retry, retries: 9, quarantine: {after: 1, for: 40 s}}"},
      {"sharing", "{name: fraction, per_gpu: 3, prefer: idle}"}};
  RandomRun run = random_run(row, 434266, 32);

  EXPECT_EQ(broken_promises(run.driver), "");
}

// A plan lists jobs that borrow beyond their quota in another order than it has admitted them.
TEST(SchedulerProperties, HoldWhereAPlanListsBorrowersLast) {
  const Row row{{"admission", "{name: quota, gpus: {red: 3, blue: 5}, others: 6, borrow: true}"},
                {"cache", "{name: robus, epoch: 9 s, objective: utilitarian, weights: {red: 2}}"},
                {"estimate", "tree"},
                {"planner", "salus"},
                {"power", "ces"},
                {"recovery", "{name: retry, retries: 9, quarantine: {after: 1, for: 40 s}}"},
                {"sharing", "exclusive"}};
  RandomRun run = random_run(row, 298658, 17);

  EXPECT_EQ(broken_promises(run.driver), "");
}

TEST(SchedulerProperties, HoldForRandomWorkloads) {
  const auto& rows = covering_rows();
  EXPECT_TRUE(rc::check("no promise is broken", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const auto jobs = *rc::gen::inRange(1, 40);
    RandomRun run = random_run(row, seed, jobs);

    const std::string broken = broken_promises(run.driver);

    if (!broken.empty()) RC_FAIL(yaml_of(row) + "\n" + broken);
  }));
}

/// Cancels about half of the jobs, each at some time after its arrival.
void cancel_some(Driver& driver, int jobs, std::uint64_t seed) {
  RandomStream random(seed, "cancelled jobs");
  for (int id = 0; id < jobs; ++id) {
    if (random.uniform() < 0.5) continue;
    const auto arrival = driver.submitted(JobId{id}).arrival;
    driver.cancel_at(JobId{id}, arrival + seconds(static_cast<double>(random.below(90))));
  }
}

TEST(SchedulerProperties, HoldWhereUsersCancelJobs) {
  std::uint64_t seed = 0;
  for (const Row& row : covering_rows()) {
    RandomRun run = random_run(row, ++seed, 8);
    cancel_some(run.driver, 8, seed);

    EXPECT_EQ(broken_promises(run.driver), "") << yaml_of(row) << " seed " << seed;
  }
}

// A job is free of its limit while a cancelled one is still being stopped on its GPU.
TEST(SchedulerProperties, HoldWhereACancelledJobStillHasMemory) {
  const Row row{{"admission", "{name: quota, gpus: {red: 3, blue: 5}, others: 6, borrow: true}"},
                {"estimate", "history"},
                {"planner", kAntman},
                {"power", "ces"},
                {"recovery", "adaptive"},
                {"sharing", "fraction"}};
  RandomRun run = random_run(row, 252914, 29);
  cancel_some(run.driver, 29, 252914);

  EXPECT_EQ(broken_promises(run.driver), "");
}

// A job is to start where another one moves away, which its quota then forbids.
TEST(SchedulerProperties, HoldWhereAMoveMakesNoRoom) {
  const Row row{{"admission", "{name: quota, gpus: {red: 3, blue: 5}, others: 6}"},
                {"cache", "robus"},
                {"estimate", "qssf"},
                {"planner", "gandiva"},
                {"power", "never"},
                {"recovery", "{name: retry, retries: 9, quarantine: {after: 1, for: 40 s}}"},
                {"sharing", "fraction"}};
  RandomRun run = random_run(row, 651343, 24);
  cancel_some(run.driver, 24, 651343);

  EXPECT_EQ(broken_promises(run.driver), "");
}

TEST(SchedulerProperties, HoldWhereUsersCancelJobsOfRandomWorkloads) {
  const auto& rows = covering_rows();
  EXPECT_TRUE(rc::check("no promise is broken", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const auto jobs = *rc::gen::inRange(1, 40);
    RandomRun run = random_run(row, seed, jobs);
    cancel_some(run.driver, jobs, seed);

    const std::string broken = broken_promises(run.driver);

    if (!broken.empty()) RC_FAIL(yaml_of(row) + "\n" + broken);
  }));
}

TEST(SchedulerProperties, HoldForGangsThatGrowAndShrink) {
  const auto is_resize = [](const std::string& line) {
    return line.find(" resize ") != std::string::npos;
  };
  for (const char* sharing : {"exclusive", "fraction"}) {
    const Row row{{"planner", "{name: greedy, round: 7 s, resize: in_place}"},
                  {"sharing", sharing}};
    std::ptrdiff_t resizes = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      RandomRun run = random_run(row, seed, 20);

      EXPECT_EQ(broken_promises(run.driver), "") << sharing << " seed " << seed;

      const auto& log = run.driver.log();
      resizes += std::count_if(log.begin(), log.end(), is_resize);
    }
    EXPECT_GT(resizes, 100) << sharing;
  }
}

TEST(SchedulerProperties, EqualEventsGiveEqualDecisions) {
  const auto& rows = covering_rows();
  EXPECT_TRUE(rc::check("two runs have one log", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    RandomRun one = random_run(row, seed, 20);
    RandomRun two = random_run(row, seed, 20);
    one.driver.run(20'000);
    two.driver.run(20'000);

    RC_ASSERT(!one.driver.log().empty());
    RC_ASSERT(one.driver.log() == two.driver.log());
  }));
}

// Without preemption, failures or relaxed locality, a job that has started runs once to its end.
TEST(SchedulerProperties, WithoutPreemptionEveryJobRunsOnce) {
  EXPECT_TRUE(rc::check("one run per job", [&] {
    const auto order =
        *rc::gen::element<std::string>("fifo", "{name: fifo, skip: true}", "sjf", "las");
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    RandomStream random(seed, "one run");
    Driver driver(shape(2, 4), policy("order: " + order), {});
    for (int id = 0; id < 30; ++id) {
      driver.submit(job(id, static_cast<int>(1 + random.below(8)), random.uniform(0, 50)),
                    {.work = seconds(random.uniform(1, 30))});
    }
    driver.run();

    for (const auto& [id, outcome] : driver.outcomes()) {
      RC_ASSERT(outcome.finished);
      RC_ASSERT(outcome.runs.size() == 1U);
    }
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
