// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/estimate/history_estimate.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/estimate/oracle_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::HasSubstr;
using Key = HistoryEstimate::Key;

/// A job of `user` on `gang` GPUs that has finished after `run` seconds.
JobView finished(const std::string& user, int gang, double run) {
  JobView view = job(0, gang);
  view.user = user;
  view.attained_time = seconds(run * gang);
  return view;
}

JobView arriving(const std::string& user, int gang) {
  JobView view = job(1, gang);
  view.user = user;
  view.user_estimate = seconds(5);
  return view;
}

TEST(NoEstimateOfRunTime, IsWhatTheUserStated) {
  EXPECT_EQ(NoEstimate().run_time(arriving("a", 1)), seconds(5));
  EXPECT_EQ(NoEstimate().run_time(job(0)), std::nullopt);
}

/// Believes a throughput of GPUs by their numbers: that of the last one.
class ByNumber final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "by number"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation& allocation,
                                                 const BatchPlan&) const override {
    return static_cast<double>(allocation.slots.back().gpu.value());
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override { return {}; }
};

// GPUs 0..1 are on a node of type A, 2..3, 4..7 and 8..11 on three of type B.
TEST(RateOnGpusOfAType, IsAskedOfItsFirstNodesThatHaveAsMany) {
  ByNumber estimate;
  estimate.begin(ClusterShape::of_groups({{.nodes = 1, .gpus_per_node = 2, .gpu_type = "A"},
                                          {.nodes = 1, .gpus_per_node = 2, .gpu_type = "B"},
                                          {.nodes = 2, .gpus_per_node = 4, .gpu_type = "B"}},
                                         4));
  const JobView view = job(0);
  const auto last = [&](GpuSpread spread) { return estimate.rate_on(view, spread)({1, 1}); };
  EXPECT_EQ(last({.nodes = 1, .gpus = 2, .type = 0}), 1.0);
  EXPECT_EQ(last({.nodes = 1, .gpus = 2, .type = 1}), 3.0);
  EXPECT_EQ(last({.nodes = 1, .gpus = 3, .type = 1}), 6.0);
  EXPECT_EQ(last({.nodes = 2, .gpus = 4, .type = 1}), 5.0);
  EXPECT_EQ(last({.nodes = 1, .gpus = 8, .type = 1}), 11.0) << "one node is too small";
  EXPECT_FALSE(estimate.rate_on(view, {.nodes = 1, .gpus = 3, .type = 0}));
}

TEST(OracleRunTime, IsTheTruth) {
  const OracleEstimate estimate(std::make_shared<OracleById>(), nullptr);

  EXPECT_EQ(estimate.run_time(job(3)), seconds(80));
  EXPECT_TRUE(estimate.ready());
  EXPECT_FALSE(OracleEstimate(nullptr, nullptr).ready());
}

// 10 s and 30 s of user a on 2 GPUs: 20 s. With 70 s on 4 GPUs, user a's mean is 110 / 3 s. With 90
// s of user b, the mean of all is 50 s.
TEST(HistoryOfRunTimes, TakesTheMeanOfTheJobsMostAlike) {
  HistoryEstimate history({.by = {Key::user, Key::gang}}, nullptr);
  history.learn(finished("a", 2, 10), at(0));
  history.learn(finished("a", 2, 30), at(0));
  history.learn(finished("a", 4, 70), at(0));
  history.learn(finished("b", 1, 90), at(0));

  EXPECT_EQ(history.run_time(arriving("a", 2)), seconds(20));
  EXPECT_EQ(history.run_time(arriving("a", 8)), seconds(110.0 / 3));
  EXPECT_EQ(history.run_time(arriving("c", 2)), seconds(50));
}

TEST(HistoryOfRunTimes, BelievesTheUserBeforeTheFirstJobHasFinished) {
  const HistoryEstimate history({.by = {Key::group}}, nullptr);

  EXPECT_EQ(history.run_time(arriving("a", 1)), seconds(5));
  EXPECT_EQ(history.run_time(job(0)), std::nullopt);
}

TEST(HistoryOfRunTimes, CanTellJobsApartByAnyOfItsKeys) {
  for (const Key key : {Key::user, Key::group, Key::virtual_cluster, Key::gang, Key::model}) {
    HistoryEstimate history({.by = {key}}, nullptr);
    JobView other = finished("b", 2, 100);
    other.group = "other";
    other.virtual_cluster = "other";
    other.model.name = "other";
    history.learn(finished("a", 1, 10), at(0));
    history.learn(other, at(0));

    EXPECT_EQ(history.run_time(arriving("a", 1)), seconds(10)) << static_cast<int>(key);
  }
}

TEST(HistoryOfRunTimes, CountsThePresentAttemptOfAJobThatStillHoldsItsGpus) {
  HistoryEstimate history({.by = {}}, nullptr);
  JobView view = finished("a", 2, 10);
  view.attempt = AttemptId{4};
  view.running_since = at(100);

  history.learn(view, at(106));

  EXPECT_EQ(history.run_time(arriving("a", 1)), seconds(16));
}

TEST(HistoryOfRunTimes, IsNamedWithItsKeys) {
  EXPECT_EQ(policy("estimate: {name: history, by: [group, gang]}").estimate->name(),
            "history(group,gang)");
  EXPECT_EQ(policy("estimate: history").estimate->name(), "history(user,gang)");
}

std::string error_of(const std::string& yaml) {
  try {
    (void)policy(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(HistoryOfRunTimes, RefusesUnknownAndRepeatedKeys) {
  EXPECT_THAT(error_of("estimate: {name: history, by: [user, gangs]}"),
              HasSubstr("unknown value \"gangs\"; did you mean \"gang\"?"));
  EXPECT_THAT(error_of("estimate: {name: history, by: [user, user]}"),
              HasSubstr("names \"user\" twice"));
}

// One GPU. From jobs 0 and 1 the estimate learns that user a's jobs take 50 s and user b's 10 s.
// Jobs 3 and 4 arrive while job 2 runs, and job 4 is expected to be shorter.
TEST(SchedulerWithHistory, RanksByWhatItHasLearned) {
  Driver driver(shape(1, 1), policy("{order: sjf, estimate: {name: history, by: [user]}}"), {});
  const auto submit = [&](int id, const std::string& user, double arrival, double run) {
    JobView view = job(id, 1, arrival);
    view.user = user;
    driver.submit(view, {.work = seconds(run)});
  };
  submit(0, "a", 0, 50);
  submit(1, "b", 0, 10);
  submit(2, "a", 61, 1);
  submit(3, "a", 61.5, 1);
  submit(4, "b", 61.7, 1);
  driver.run();

  EXPECT_EQ(driver.outcome(4).end, at(63));
  EXPECT_EQ(driver.outcome(3).end, at(64));
}

}  // namespace
}  // namespace mimus::scheduler::test
