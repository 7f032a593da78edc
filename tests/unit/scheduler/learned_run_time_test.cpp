// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/estimate/name_similarity.hpp"
#include "scheduler/estimate/qssf_estimate.hpp"
#include "scheduler/estimate/tree_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

JobView of_group(const std::string& user, const std::string& group, int gang = 1) {
  JobView view = job(0, gang);
  view.user = user;
  view.group = group;
  return view;
}

void learn(Estimator& estimate, JobView view, double run_time, double now) {
  view.attained_time = seconds(run_time * view.gang);
  estimate.learn(view, at(now));
}

double believed(const Estimator& estimate, const JobView& view) {
  return to_seconds(estimate.run_time(view).value_or(Duration::zero()));
}

// Group A of user a: 100, 110, 120 s; group B of user b: 1,000, 1,100 s. A new group gets the
// geometric mean of its user, and a new user that of all.
void learn_two_groups(TreeEstimate& estimate) {
  learn(estimate, of_group("a", "A"), 100, 0);
  learn(estimate, of_group("a", "A"), 110, 0);
  learn(estimate, of_group("a", "A"), 120, 0);
  learn(estimate, of_group("b", "B"), 1000, 0);
  learn(estimate, of_group("b", "B"), 1100, 5);
}

TEST(TreeEstimate, FollowsTheTreeThenTheUserThenAll) {
  TreeEstimate tree({.by = {JobKey::group}, .refit = seconds(5), .min_leaf = 2}, nullptr);
  learn_two_groups(tree);

  EXPECT_NEAR(believed(tree, of_group("a", "A")), 109.696, 5e-4);
  EXPECT_NEAR(believed(tree, of_group("b", "B")), 1048.809, 5e-4);
  EXPECT_NEAR(believed(tree, of_group("b", "new")), 1048.809, 5e-4);
  EXPECT_NEAR(believed(tree, of_group("new", "new")), 270.641, 5e-4);
}

TEST(TreeEstimate, SaysTheSameOfAllWhereNoLeafIsLargeEnough) {
  TreeEstimate tree({.by = {JobKey::group}, .refit = seconds(5), .min_leaf = 5}, nullptr);
  learn_two_groups(tree);

  EXPECT_NEAR(believed(tree, of_group("a", "A")), 270.641, 5e-4);
  EXPECT_NEAR(believed(tree, of_group("b", "B")), 270.641, 5e-4);
}

TEST(TreeEstimate, BelievesMeansBeforeTheFirstFitAndUsersBeforeTheFirstEnd) {
  TreeEstimate tree({.by = {JobKey::group}, .refit = seconds(5), .min_leaf = 1}, nullptr);
  JobView stated = of_group("a", "A");
  stated.user_estimate = seconds(7);
  EXPECT_EQ(believed(tree, stated), 7.0);

  learn(tree, of_group("a", "A"), 100, 0);
  learn(tree, of_group("b", "B"), 900, 4);

  EXPECT_NEAR(believed(tree, of_group("a", "A")), 100, 1e-6);
  EXPECT_NEAR(believed(tree, of_group("c", "C")), 300, 1e-6);
}

// As computed by Python's difflib.SequenceMatcher(None, a, b).ratio().
TEST(NameSimilarity, IsThatOfDifflib) {
  EXPECT_DOUBLE_EQ(name_similarity("abcd", "bcde"), 0.75);
  EXPECT_DOUBLE_EQ(name_similarity("train-resnet50", "resnet50-train-v2"), 2.0 * 8 / 31);
  EXPECT_DOUBLE_EQ(name_similarity("bert-large", "bert-base"), 2.0 * 7 / 19);
  EXPECT_DOUBLE_EQ(name_similarity("", ""), 1.0);
  EXPECT_DOUBLE_EQ(name_similarity("a", ""), 0.0);
}

// User a's names on 1 GPU: train-v1 100 s, train-v2 300 s, other 900 s; on 2 GPUs train-v1 5,000 s.
TEST(RollingMeans, GoByNameAndGangThenUserThenNameThenAll) {
  RollingMeans means;
  EXPECT_EQ(means.of(of_group("a", "train-v1")), std::nullopt);
  means.add(of_group("a", "train-v1"), 100);
  means.add(of_group("a", "train-v2"), 300);
  means.add(of_group("a", "other"), 900);
  means.add(of_group("a", "train-v1", 2), 4700);

  EXPECT_DOUBLE_EQ(*means.of(of_group("a", "train-v3")), 200);
  EXPECT_DOUBLE_EQ(*means.of(of_group("a", "train-v3", 2)), 4700);
  EXPECT_DOUBLE_EQ(*means.of(of_group("a", "xyz")), 1500);
  EXPECT_DOUBLE_EQ(*means.of(of_group("a", "")), 1500);
  EXPECT_DOUBLE_EQ(*means.of(of_group("b", "other")), 900);
  EXPECT_DOUBLE_EQ(*means.of(of_group("b", "xyz")), 1500);
}

TEST(QssfEstimate, WeighsTheMeanOfLikeJobsAgainstTheTrees) {
  const QssfEstimate estimate({}, nullptr);

  EXPECT_DOUBLE_EQ(4 * estimate.blended(3600, 1800), 7920);
  EXPECT_DOUBLE_EQ(1 * estimate.blended(100, 1000), 910);
  EXPECT_DOUBLE_EQ(8 * estimate.blended(5000, 60), 4432);
  EXPECT_DOUBLE_EQ(estimate.blended(100, 0.0), 100);
  EXPECT_DOUBLE_EQ(estimate.blended(100, std::nullopt), 100);
}

// 25 jobs of 100 s and 25 of 1,000 s: 50 trees at rate 0.1 leave 0.9^50 = 0.5 % of the difference
// between their logarithms and the mean, ln 10 / 2.
TEST(QssfEstimate, BlendsWhatItHasLearned) {
  QssfEstimate estimate({.by = {JobKey::group}, .refit = seconds(5)}, nullptr);
  for (int i = 0; i < 25; ++i) {
    learn(estimate, of_group("a", "short"), 100, i == 24 ? 5 : 0);
    learn(estimate, of_group("a", "long"), 1000, 0);
  }
  learn(estimate, of_group("a", "short"), 100, 10);

  const double left = std::pow(0.9, 50);
  const double mean = (26 * std::log(100.0) + 25 * std::log(1000.0)) / 51;
  const double modelled = std::exp(std::log(100.0) + left * (mean - std::log(100.0)));
  EXPECT_NEAR(believed(estimate, of_group("a", "short")), 0.1 * 100 + 0.9 * modelled, 1e-6);
}

// Service of 4,432, 7,920 and 5,000 GPU-s on 8, 4 and 1 GPUs. The head needs all 8 GPUs. While 4
// are held, it makes the others wait.
TEST(QssfOrder, GoesByServiceAndTheHeadBlocks) {
  Scheduler scheduler(shape(1, 8), policy("{order: {name: sjf, measure: service, skip: false}, "
                                          "placement: consolidated}"));
  (void)scheduler.on_event(JobArrived{estimated(9, 4, 0, 1)}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(0, 8, 1, 554)}, at(1));
  (void)scheduler.on_event(JobArrived{estimated(1, 4, 2, 1980)}, at(2));
  const Decision decision = scheduler.on_event(JobArrived{estimated(2, 1, 3, 5000)}, at(3));

  EXPECT_THAT(decision.actions, ::testing::IsEmpty());
  EXPECT_THAT(scheduler.queue(), ::testing::ElementsAre(JobId{0}, JobId{2}, JobId{1}));
}

}  // namespace
}  // namespace mimus::scheduler::test
