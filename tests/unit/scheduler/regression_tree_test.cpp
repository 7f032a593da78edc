// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/trees/regression_tree.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace mimus::scheduler::test {
namespace {

// Run times of group A (0) 100, 110 and 120 s, of group B (1) 1,000 and 1,100 s.
const std::vector<std::vector<double>> kGroups{{0, 0, 0, 1, 1}};
std::vector<double> logarithms() {
  std::vector<double> targets;
  for (const double seconds : {100, 110, 120, 1000, 1100}) targets.push_back(std::log(seconds));
  return targets;
}
double predicted(const RegressionTree& tree, std::vector<double> features) {
  return std::exp(tree.predict(features));
}

// Without a split the sum of squared errors is 6.13781; with the split between the groups it is
// .02117. The predictions are the geometric means.
TEST(RegressionTree, PartsTheGroupsWhoseRunTimesDiffer) {
  const Examples examples(kGroups);
  const RegressionTree tree(examples, logarithms(), {.max_depth = 1, .min_leaf = 2});
  const RegressionTree root(examples, logarithms(), {.max_depth = 0, .min_leaf = 2});

  EXPECT_NEAR(root.squared_error(), 6.13781, 5e-6);
  EXPECT_NEAR(tree.squared_error(), 0.02117, 5e-6);
  EXPECT_NEAR(predicted(tree, {0}), 109.696, 5e-4);
  EXPECT_NEAR(predicted(tree, {1}), 1048.809, 5e-4);
  EXPECT_NEAR(predicted(root, {1}), 270.641, 5e-4);
}

TEST(RegressionTree, MakesNoLeafOfFewerExamplesThanItMay) {
  const Examples examples(kGroups);

  EXPECT_EQ(RegressionTree(examples, logarithms(), {.max_depth = 9, .min_leaf = 3}).leaves(), 1U);
  EXPECT_EQ(RegressionTree(examples, logarithms(), {.max_depth = 9, .min_leaf = 2}).leaves(), 2U);
}

// Feature 1 alone separates 10 from 20. In the other half, feature 0 does not reduce the error.
TEST(RegressionTree, TakesTheFeatureThatLowersTheErrorMost) {
  const Examples examples({{1, 2, 1, 2, 1, 2}, {5, 5, 6, 6, 7, 7}});
  const RegressionTree tree(examples, {10, 10, 10, 10, 20, 20}, {.max_depth = 9, .min_leaf = 1});

  EXPECT_EQ(tree.leaves(), 2U);
  EXPECT_DOUBLE_EQ(tree.predict(std::vector<double>{1, 6.4}), 10.0);
  EXPECT_DOUBLE_EQ(tree.predict(std::vector<double>{1, 6.5}), 20.0);
}

// The mean is 5. Each tree halves the remainder: 5 -+ 2.5, then 5 -+ 3.75.
TEST(BoostedTrees, AddUpWhatThoseBeforeLeave) {
  const Examples examples({{0, 0, 1, 1}});
  const std::vector<double> targets{0, 0, 10, 10};
  const TreeRules stump{.max_depth = 1, .min_leaf = 1};
  const BoostedTrees one(examples, targets, {.trees = 1, .rate = 0.5, .tree = stump});
  const BoostedTrees two(examples, targets, {.trees = 2, .rate = 0.5, .tree = stump});

  EXPECT_DOUBLE_EQ(one.predict(std::vector<double>{0}), 2.5);
  EXPECT_DOUBLE_EQ(two.predict(std::vector<double>{0}), 1.25);
  EXPECT_DOUBLE_EQ(two.predict(std::vector<double>{1}), 8.75);
}

}  // namespace
}  // namespace mimus::scheduler::test
