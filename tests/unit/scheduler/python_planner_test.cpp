// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/python_planner.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PythonPlannerTest : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv(kPythonModuleVariable, MIMUS_PYTHON_MODULE_FILE, 1); }
  void TearDown() override { ::unsetenv(kPythonModuleVariable); }
};

PythonPlanner::Settings settings(const std::string& body) {
  return {.file = "mine.py",
          .class_name = "Mine",
          .source = body,
          .where = {"campaign.yaml", 12, 5},
          .seed = 7};
}

Policy row(const std::string& body) {
  Policy out = policy("{planner: ranked, placement: most_free}");
  out.planner = std::make_unique<PythonPlanner>(settings(body));
  return out;
}

/// A planner whose method has the body `plan`.
std::string planner(const std::string& plan) {
  return "import mimus\n"
         "class Mine:\n"
         "  every = 60\n"
         "  def plan(self, query):\n"
         "    " +
         plan + "\n";
}

std::vector<int> started(const Decision& decision) {
  std::vector<int> gpus;
  for (const StartAttempt& start : actions_of<StartAttempt>(decision)) {
    gpus.push_back(static_cast<int>(start.allocation.slots.size()));
  }
  return gpus;
}

/// The first plan for jobs 0, 1, ... with these gangs, which arrive at 0 s, on 2 x 4 GPUs.
Decision first_plan(Policy policy, const std::vector<int>& gangs) {
  Scheduler scheduler(shape(2, 4), std::move(policy));
  std::vector<Event> events;
  int id = 0;
  for (const int gang : gangs) events.emplace_back(JobArrived{job(id++, gang)});
  return scheduler.on_events(std::span<const Event>(events), at(0));
}

template <class Expected>
std::string message_of(const std::string& body) {
  try {
    (void)first_plan(row(body), {1});
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

// Progressive filling of eight GPUs with weights 2 and 1: 2 of 8 for every unit of weight except
// the last one, which goes to the earlier of the jobs with the smallest share: 5 and 3.
TEST_F(PythonPlannerTest, TheExampleSharesByWeight) {
  Policy shares = policy("{planner: ranked, placement: most_free}");
  PythonPlanner::Settings example =
      settings(read_text_file(std::string(MIMUS_EXAMPLES) + "/weighted_share.py"));
  example.class_name = "WeightedShare";
  example.arguments = parse_yaml("weights: {prod: 2}", "arguments");
  shares.planner = std::make_unique<PythonPlanner>(std::move(example));
  Scheduler scheduler(shape(2, 4), std::move(shares));
  JobView first = job(0, 8);
  first.virtual_cluster = "prod";
  const std::vector<Event> events{JobArrived{first}, JobArrived{job(1, 8)}};

  const Decision decision = scheduler.on_events(std::span<const Event>(events), at(0));

  EXPECT_THAT(started(decision), ElementsAre(5, 3));
  EXPECT_EQ(decision.wake_up, at(60));
}

TEST_F(PythonPlannerTest, TargetsAreCountsTypesExactGpusAndBatches) {
  const Decision decision = first_plan(
      row(planner("return mimus.Plan([mimus.Target(0, 2), mimus.Target(query.jobs[1], {'T4': 1}),"
                  " mimus.Target(2, [7, 3], batch=(16, 2))], next=10.5)")),
      {1, 1, 1});

  EXPECT_THAT(started(decision), ElementsAre(2, 1, 2));
  const StartAttempt exact = actions_of<StartAttempt>(decision).at(2);
  EXPECT_EQ(exact.allocation.slots.at(0).gpu, GpuId{7});
  EXPECT_EQ(exact.allocation.slots.at(1).gpu, GpuId{3});
  EXPECT_EQ(exact.batch, (BatchPlan{16, 2}));
  EXPECT_EQ(decision.wake_up, at(10.5));
}

TEST_F(PythonPlannerTest, JobsNameTheApplicationThatTheyArePartOf) {
  Scheduler scheduler(shape(1, 4), row(planner("return [mimus.Target(job, 1) for job in query.jobs"
                                               " if job.application == 'search']")));
  JobView part = job(0, 1);
  part.application = "search";
  const std::vector<Event> events{JobArrived{part}, JobArrived{job(1, 1)}};

  const Decision decision = scheduler.on_events(std::span<const Event>(events), at(0));

  EXPECT_THAT(started(decision), ElementsAre(1));
}

TEST_F(PythonPlannerTest, AnImpossiblePlanIsRefusedAndNotCarriedOut) {
  const Decision decision = first_plan(row(planner("return [mimus.Target(0, 9)]")), {1});

  EXPECT_TRUE(decision.actions.empty());
  EXPECT_THAT(decision.refused_plan, HasSubstr("is to have 9 GPUs, but of 8 usable ones"));
}

TEST_F(PythonPlannerTest, JobsAndGpusAreObjectsAndArrays) {
  const std::string checks = R"(
    job, rows, gpus = query.jobs[1], query.job_array, query.gpu_array
    assert (job.id, job.gang, job.model, job.state) == (1, 3, 'resnet18', 'queued'), job
    assert job.first_start is None and job.gpus == []
    assert (job.data_set, job.data_size, job.data_rate) == ('', None, None)
    assert rows['gang'].tolist() == [2, 3] and rows['gpus'].tolist() == [0, 0], rows
    assert gpus['usable'].all() and gpus['node'].tolist() == [0] * 4 + [1] * 4
    assert [node.free for node in query.nodes] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert query.gpus_left == 8 and query.gpu_type == 'T4' and query.now == 0
    return [mimus.Target(int(id), int(n)) for id, n in zip(rows['id'], rows['gang'])]
)";

  EXPECT_THAT(started(first_plan(row(planner(checks.substr(5))), {2, 3})), ElementsAre(2, 3));
}

// Placement most_free puts a gang of three on one node. Placed GPUs are not available to the next
// job.
TEST_F(PythonPlannerTest, PlacesAreTriedOnAScratchCopy) {
  const std::string places = R"(
    first, second, third = (query.place(job, 3) for job in query.jobs)
    assert first is not None and second is not None and third is None, (first, second, third)
    assert not set(first) & set(second)
    assert query.give(0, 6) and not query.give(1, 3) and query.give(1, 2)
    assert query.throughput(0, 2) is None and query.throughput(0, [0, 4], (8, 1)) is None
    return [mimus.Target(0, second)]
)";

  EXPECT_THAT(started(first_plan(row(planner(places.substr(5))), {3, 3, 3})), ElementsAre(3));
}

TEST_F(PythonPlannerTest, ReleasedGpusCanBePlacedAgain) {
  const std::string body = R"(
    if query.now == 0:
      return [mimus.Target(0, 8)]
    assert query.jobs[0].gpus == list(range(8)) and query.jobs[0].service == 480
    assert query.place(1, 4) is None
    assert query.release(0) and not query.release(0) and not query.release(1)
    return [mimus.Target(1, query.place(1, 4))]
)";
  Scheduler scheduler(shape(2, 4), row(planner(body.substr(5))));
  (void)scheduler.on_event(JobArrived{job(0, 8)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 4, 30)}, at(30));

  const Decision decision = scheduler.on_event(Timer{}, at(60));

  EXPECT_EQ(actions_of<StopAttempt>(decision).size(), 1U);
}

TEST_F(PythonPlannerTest, RandomNumbersFollowFromTheSeed) {
  const std::string body = planner("return [mimus.Target(0, query.random.randint(1, 8))]");

  const auto one = started(first_plan(row(body), {1}));
  const auto other = started(first_plan(row(body), {1}));

  EXPECT_EQ(one, other);
}

TEST_F(PythonPlannerTest, WhatIsKeptOfAQueryAnswersNoMore) {
  const std::string body = R"(
    if query.now > 0:
      try:
        self.kept.jobs
      except RuntimeError as error:
        assert 'this query has ended' in str(error) and self.job.gang == 2
        return [mimus.Target(0, 1)]
    self.kept, self.job = query, query.jobs[0]
    return []
)";
  Scheduler scheduler(shape(1, 4), row(planner(body.substr(5))));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));

  EXPECT_THAT(started(scheduler.on_event(Timer{}, at(60))), ElementsAre(1));
}

TEST_F(PythonPlannerTest, AnExceptionEndsTheRunWithItsTraceback) {
  const std::string text = message_of<Error>(planner("return [query.jobs[5].gang]"));

  EXPECT_THAT(text, HasSubstr("planner Mine of mine.py: Traceback"));
  EXPECT_THAT(text, HasSubstr("File \"mine.py\", line 5, in plan"));
  EXPECT_THAT(text, HasSubstr("return [query.jobs[5].gang]"));
  EXPECT_THAT(text, HasSubstr("IndexError"));
}

TEST_F(PythonPlannerTest, SomethingElseThanTargetsIsSaid) {
  EXPECT_THAT(message_of<Error>(planner("return {0: 1}")),
              HasSubstr("plan() returned {0: 1}; it returns a list of mimus.Target"));
  EXPECT_THAT(message_of<Error>(planner("return [mimus.Target(0, 1.5)]")),
              HasSubstr("gpus is a number, {type: number} or a list of GPU ids"));
}

TEST_F(PythonPlannerTest, WhatCannotBeLoadedIsSaidWhereItIsNamed) {
  EXPECT_THAT(
      message_of<ConfigError>("class Mine:\n  def plan(self, query:\n"),
      AllOf(HasSubstr("campaign.yaml:12:5"), HasSubstr("line 2"), HasSubstr("SyntaxError")));
  EXPECT_THAT(message_of<ConfigError>("class Other: pass\n"),
              HasSubstr("mine.py has no class \"Mine\""));
  EXPECT_THAT(message_of<ConfigError>("class Mine: pass\n"), HasSubstr("no method plan(query)"));
  EXPECT_THAT(
      message_of<ConfigError>("class Mine:\n  wakes = ['arrival']\n  def plan(self, query): "
                              "return []\n"),
      HasSubstr("\"arrival\" is no event; allowed: arrivals, ends, reports, starts, failures"));
}

TEST_F(PythonPlannerTest, AnEndlessPlanIsInterrupted) {
  Policy endless = policy("{planner: ranked, placement: most_free}");
  PythonPlanner::Settings slow = settings(planner("while True: pass"));
  slow.timeout = std::chrono::milliseconds(50);
  endless.planner = std::make_unique<PythonPlanner>(std::move(slow));

  std::string text;
  try {
    (void)first_plan(std::move(endless), {1});
  } catch (const Error& error) {
    text = error.what();
  }

  EXPECT_THAT(text, HasSubstr("longer than policy.planner.timeout allows"));
}

TEST(PythonPlannerWithoutModule, SaysHowToGetIt) {
  ::setenv(kPythonModuleVariable, "/nowhere/libmimus_python.so", 1);

  EXPECT_THAT(message_of<NotCompiledError>(planner("return []")),
              HasSubstr("planner python is not compiled into this build; reconfigure with "
                        "-DMIMUS_WITH_PYTHON=ON"));
  ::unsetenv(kPythonModuleVariable);
}

}  // namespace
}  // namespace mimus::scheduler::test
