// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/learning_rate.hpp"

#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler::test {
namespace {

using Rule = LearningRate::Rule;

double factor(Rule rule, double steps = 0.0, double warm_up = 0.0) {
  return LearningRate{rule, warm_up}.factor(16.0, 9.0, steps);
}

TEST(LearningRateRule, IsAsItsAuthorsHaveIt) {
  EXPECT_EQ(factor(Rule::adascale), 9.0);
  EXPECT_EQ(factor(Rule::unchanged), 1.0);
  EXPECT_EQ(factor(Rule::sqrt), 4.0);
  EXPECT_EQ(factor(Rule::linear), 16.0);
  EXPECT_EQ(factor(Rule::adam), 3.0);
  EXPECT_EQ(factor(Rule::legw), 4.0);
}

// The user warms up in 100 steps, the job in 1,600: in the first step both are at one of so many
// parts of the whole, in step 100 the user is through, in step 1,600 the job.
TEST(LearningRateRule, OfLegwWarmsUpAsManyTimesLongerAsTheBatchIsLarger) {
  EXPECT_DOUBLE_EQ(factor(Rule::legw, 0, 100), 4.0 / 16.0);
  EXPECT_DOUBLE_EQ(factor(Rule::legw, 99, 100), 4.0 / 16.0);
  EXPECT_DOUBLE_EQ(factor(Rule::legw, 799, 100), 4.0 / 2.0);
  EXPECT_DOUBLE_EQ(factor(Rule::legw, 1599, 100), 4.0);
  EXPECT_DOUBLE_EQ(factor(Rule::legw, 5000, 100), 4.0);
}

// 1 + 15·t/100.
TEST(LearningRateRule, OfLinearScalingWarmsUpFromTheUsers) {
  EXPECT_DOUBLE_EQ(factor(Rule::linear, 0, 100), 1.0);
  EXPECT_DOUBLE_EQ(factor(Rule::linear, 50, 100), 8.5);
  EXPECT_DOUBLE_EQ(factor(Rule::linear, 100, 100), 16.0);
  EXPECT_DOUBLE_EQ(factor(Rule::linear, 500, 100), 16.0);
}

TEST(LearningRateRule, LeavesTheLearningRateAtTheReferenceBatch) {
  for (const Rule rule :
       {Rule::adascale, Rule::unchanged, Rule::sqrt, Rule::linear, Rule::adam, Rule::legw}) {
    EXPECT_EQ((LearningRate{rule, 100.0}.factor(1.0, 1.0, 7.0)), 1.0) << name(rule);
  }
}

TEST(LearningRateRule, IsStatedWithTheBatch) {
  EXPECT_EQ(policy("{}").batch->learning_rate().rule, Rule::adascale);
  EXPECT_EQ(policy("batch: {name: linear, learning_rate: linear}").batch->learning_rate().rule,
            Rule::linear);
  const auto goodput = policy("batch: {name: goodput, learning_rate: legw, warm_up: 250}");
  EXPECT_EQ(goodput.batch->learning_rate().rule, Rule::legw);
  EXPECT_EQ(goodput.batch->learning_rate().warm_up, 250.0);
}

}  // namespace
}  // namespace mimus::scheduler::test
