// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/gittins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr double kForEver = std::numeric_limits<double>::infinity();

ServiceHistory history_of(std::initializer_list<double> samples) {
  ServiceHistory history;
  for (const double sample : samples) history.add(sample);
  history.fit();
  return history;
}

// Two of the six samples above 0 are at most 20 beyond it, and the others count 20 each.
TEST(GittinsIndex, IsTheChanceToEndOverTheExpectedService) {
  const ServiceHistory history = history_of({100, 10, 400, 40, 20, 100});

  EXPECT_DOUBLE_EQ(history.gittins_index(0, 20), 2.0 / 110);
  EXPECT_DOUBLE_EQ(history.gittins_index(10, 20), 1.0 / (10 + 4 * 20));
  EXPECT_DOUBLE_EQ(history.gittins_index(20, 20), 1.0 / (20 + 3 * 20));
  EXPECT_DOUBLE_EQ(history.gittins_index(40, 20), 0.0);
  EXPECT_DOUBLE_EQ(history.gittins_index(0, 50), 3.0 / (10 + 20 + 40 + 3 * 50));
  EXPECT_DOUBLE_EQ(history.gittins_index(10, 50), 2.0 / (10 + 30 + 3 * 50));
  EXPECT_DOUBLE_EQ(history.gittins_index(20, 50), 1.0 / (20 + 3 * 50));
  EXPECT_DOUBLE_EQ(history.gittins_index(40, 50), 0.0);
}

TEST(GittinsIndex, WithoutAnEndIsTheNumberOverWhatTheyTookBeyond) {
  const ServiceHistory history = history_of({100, 10, 400, 40, 20, 100});

  EXPECT_DOUBLE_EQ(history.gittins_index(40, kForEver), 3.0 / (60 + 60 + 360));
  EXPECT_DOUBLE_EQ(history.gittins_index(400, kForEver), 0.0);
}

TEST(ServiceHistory, IsOneNumberALineBelowAHeading) {
  std::string error;

  EXPECT_EQ(parse_service_history("gpu_seconds\r\n10\r\n20.5\n\n30", error)->size(), 3U);
  EXPECT_EQ(parse_service_history("10\n20\n", error)->size(), 2U);
  EXPECT_FALSE(parse_service_history("10\n-1\n", error));
  EXPECT_EQ(error, "line 2: \"-1\" is not a number of GPU-seconds >= 0");
  EXPECT_FALSE(parse_service_history("gpu_seconds\n", error));
  EXPECT_THAT(error, HasSubstr("holds no number"));
}

// Limits 10 and 30: classes [0, 10), [10, 30), [30, 60), [60, 120), … Samples 5, 35, 130.
TEST(GittinsOrder, GivesEachClassTheIndexOfItsLeastService) {
  const Gittins order({.limits = {seconds(10), seconds(30)},
                       .promote = {},
                       .warm_up = 3,
                       .given = history_of({5, 35, 130})});

  EXPECT_DOUBLE_EQ(order.indexes()[0], 1.0 / (5 + 2 * 10));
  EXPECT_DOUBLE_EQ(order.indexes()[1], 0.0);
  EXPECT_DOUBLE_EQ(order.indexes()[2], 2.0 / (5 + 100));
  EXPECT_DOUBLE_EQ(order.indexes()[3], 1.0 / 70);
  EXPECT_DOUBLE_EQ(order.indexes()[4], 1.0 / 10);
  EXPECT_DOUBLE_EQ(order.indexes()[5], 0.0);
}

// In the last queue, jobs with 120 GPU-s (index 0.1) come first, then 30 to 60 (0.019), then 60 to
// 120 (0.014). All come after the middle queue, whose index is 0.
TEST(GittinsOrder, RanksByQueueThenIndexThenFirstStartThenArrival) {
  const Gittins order({.limits = {seconds(10), seconds(30)},
                       .promote = {},
                       .warm_up = 3,
                       .given = history_of({5, 35, 130})});
  const auto started = [](int id, double attained, double first_start) {
    JobView view = job(id);
    view.attained_time = seconds(attained);
    view.first_start = at(first_start);
    return view;
  };
  const std::vector<JobView> in_order{started(6, 5, 99),  job(5),
                                      started(4, 25, 99), started(3, 125, 99),
                                      started(2, 45, 1),  started(1, 59, 2),
                                      started(0, 61, 0)};

  for (std::size_t i = 1; i < in_order.size(); ++i) {
    EXPECT_LT(order.rank(in_order[i - 1], at(100)), order.rank(in_order[i], at(100))) << i;
  }
}

// 4 GPUs reach 3,600 GPU-s after 900 s, 7,200 after 1,800 s and 14,400 after 3,600 s.
TEST(GittinsOrder, ChangesRanksWhereARunningJobCrossesAClass) {
  const Gittins order({});
  JobView four = job(0, 4);
  four.attempt = AttemptId{0};
  four.running_since = at(0);

  EXPECT_EQ(order.next_change(four, at(0)), at(900));
  EXPECT_EQ(order.next_change(four, at(900)), at(1800));
  EXPECT_EQ(order.next_change(four, at(1800)), at(3600));
}

TEST(GittinsOrder, LearnsWhenEnoughHaveFinishedAndThenEverySoMany) {
  Gittins order({.limits = {seconds(10)}, .promote = {}, .refit = 2, .warm_up = 3});
  const auto finish = [&](double service) {
    JobView view = job(0);
    view.attained_time = seconds(service);
    return order.learn(view, at(0));
  };

  EXPECT_FALSE(finish(20));
  EXPECT_FALSE(finish(30));
  EXPECT_DOUBLE_EQ(order.indexes()[1], 0.0);
  EXPECT_TRUE(finish(5));
  EXPECT_DOUBLE_EQ(order.indexes()[1], 2.0 / (10 + 20));
  EXPECT_FALSE(finish(11));
  EXPECT_TRUE(finish(12));
  EXPECT_DOUBLE_EQ(order.indexes()[1], 4.0 / (10 + 20 + 1 + 2));
}

std::string tiresias_g(const std::string& more) {
  return "{order: {name: gittins, " + more +
         "}, placement: counting, preemption: {name: checkpoint, min_run: 0 s}}";
}

/// Jobs with one GPU on a cluster of one.
class OneGpu {
 public:
  explicit OneGpu(const std::string& yaml) : driver_(shape(1, 1), policy(yaml), {}) {}
  void submit(int id, double arrival, double work) {
    driver_.submit(job(id, 1, arrival), {.work = seconds(work)});
  }
  Driver& run() {
    driver_.run();
    EXPECT_TRUE(driver_.violations().empty());
    return driver_;
  }

 private:
  Driver driver_;
};

// G(3600) = 3/100,200 is above G(7200) = 1/92,800. Job 0 has had 7,300 GPU-s when job 1 arrives,
// and waits until job 1 has had 7,200. Then job 0 continues, because it started first. Job 2 goes
// before both.
TEST(GittinsOrder, LetsTheClassWithTheHigherIndexRunToItsEnd) {
  OneGpu cluster(tiresias_g("warm_up: 3, samples: \"5000\\n6000\\n100000\""));
  cluster.submit(0, 0, 10'000);
  cluster.submit(1, 7300, 8000);
  cluster.submit(2, 15'000, 100);
  const Driver& driver = cluster.run();

  EXPECT_THAT(driver.outcome(1).runs,
              ElementsAre(Pair(at(7300), at(14'500)), Pair(at(17'300), at(18'100))));
  EXPECT_THAT(driver.outcome(2).runs, ElementsAre(Pair(at(15'000), at(15'100))));
  EXPECT_EQ(driver.outcome(0).end, at(17'300));
}

// G(3600) = 3/210,800 is below G(7200) = 3/200,000, so job 1 yields when it leaves the first queue.
TEST(GittinsOrder, LetsAJobThatHasHadMoreGoFirstWhereItIsLikelierToEnd) {
  OneGpu cluster(tiresias_g("warm_up: 3, samples: \"10800\\n10800\\n200000\""));
  cluster.submit(0, 0, 10'000);
  cluster.submit(1, 7300, 8000);
  const Driver& driver = cluster.run();

  EXPECT_THAT(driver.outcome(1).runs,
              ElementsAre(Pair(at(7300), at(10'900)), Pair(at(13'600), at(18'000))));
}

// Jobs 1 and 2 have had 21 and 10 GPU-s when job 3 ends. The samples 15 and 5 imply that a job with
// 10 to 20 goes before one with more. Before they were learned, the first to start went first.
TEST(GittinsOrder, RanksWaitingJobsAnewWhenItHasLearned) {
  OneGpu cluster(tiresias_g("limits: [10 s], warm_up: 2, refit: 1"));
  cluster.submit(0, 0, 15);
  cluster.submit(1, 20, 100);
  cluster.submit(2, 32, 100);
  cluster.submit(3, 51, 5);
  const Driver& driver = cluster.run();

  ASSERT_GE(driver.outcome(2).runs.size(), 2U);
  EXPECT_THAT(driver.outcome(2).runs[0], Pair(at(32), at(42)));
  EXPECT_THAT(driver.outcome(2).runs[1], Pair(at(56), at(66)));
}

TEST(GittinsOrder, RefusesQueuesThatDoNotAscendAndHistoriesThatAreNone) {
  EXPECT_THROW((void)policy("order: {name: gittins, limits: []}"), ConfigError);
  EXPECT_THROW((void)policy("order: {name: gittins, limits: [5 s, 5 s]}"), ConfigError);
  EXPECT_THROW((void)policy("order: {name: gittins, samples: \"a\\nb\"}"), ConfigError);
}

}  // namespace
}  // namespace mimus::scheduler::test
