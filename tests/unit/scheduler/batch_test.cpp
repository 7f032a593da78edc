// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/batch/best_batch.hpp"
#include "scheduler/batch/fixed.hpp"
#include "scheduler/batch/goodput.hpp"
#include "scheduler/batch/linear.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr BatchLimits kLimits{.per_gpu_min = 8, .per_gpu_max = 64, .total_max = 1024};

BatchPlan plan_of(const Batching& batching, const JobView& view, BatchLimits limits = kLimits) {
  return batching.plan({view, nullptr, limits, NoEstimate()});
}

TEST(SplitBatch, NeedsOneMicroBatchWhileTheShareFits) {
  EXPECT_EQ(split_batch(256, 4, kLimits), (BatchPlan{64, 1}));
  EXPECT_EQ(split_batch(32, 1, kLimits), (BatchPlan{32, 1}));
}

ModelFacts model_from(std::int64_t reference_batch) {
  ModelFacts model;
  model.reference_batch = reference_batch;
  return model;
}

// One replica of at most 64: the totals 32 … 64 alone, each batch once, and above M₀ in two
// micro-batches.
TEST(BatchGrid, HasEachBatchThatFitsOnce) {
  const auto grid = batch_grid(model_from(32), {8, 64, 64}, 1);
  ASSERT_FALSE(grid.empty());
  EXPECT_EQ(grid.front(), (BatchPlan{32, 1}));
  EXPECT_EQ(grid[1], (BatchPlan{17, 2}));
  EXPECT_EQ(grid.back(), (BatchPlan{32, 2}));
  for (std::size_t i = 1; i < grid.size(); ++i) EXPECT_NE(grid[i], grid[i - 1]);
}

TEST(BatchGrid, IsEmptyIfNoTotalIsAllowed) {
  EXPECT_TRUE(batch_grid(model_from(2048), kLimits, 4).empty());
}

TEST(BatchGrids, AreThoseOfTheLimitsAndReplicasAskedFor) {
  BatchGrids grids;
  for (int repeated = 0; repeated < 2; ++repeated) {
    for (const int replicas : {1, 4}) {
      for (const std::int64_t reference_batch : {32, 128}) {
        const ModelFacts model = model_from(reference_batch);
        EXPECT_EQ(grids.of(model, kLimits, replicas), batch_grid(model, kLimits, replicas));
        const BatchLimits smaller{8, 16, 512};
        EXPECT_EQ(grids.of(model, smaller, replicas), batch_grid(model, smaller, replicas));
      }
    }
  }
}

// 200 per replica, at most 64 each: ⌈200/64⌉ = 4 micro-batches of 50.
TEST(SplitBatch, AccumulatesWhenTheShareIsTooLarge) {
  EXPECT_EQ(split_batch(400, 2, kLimits), (BatchPlan{50, 4}));
  EXPECT_EQ(split_batch(128, 1, kLimits), (BatchPlan{64, 2}));
}

// 100 over 3 replicas: ⌈33.3⌉ = 34, 102 in total.
TEST(SplitBatch, RoundsUpWhatDoesNotDivide) {
  EXPECT_EQ(split_batch(100, 3, kLimits), (BatchPlan{34, 1}));
}

// 1,024 over 3 would be 6 micro-batches of 57, 1,026 in total. One sample less keeps the limit.
TEST(SplitBatch, StaysWithinTheLargestTotal) {
  const BatchPlan plan = split_batch(5000, 3, kLimits);

  EXPECT_EQ(plan, (BatchPlan{56, 6}));
  EXPECT_LE(plan.total(3), 1024);
}

// 342 per replica would be 43 micro-batches of 8, 1,032 in total: one micro-batch less is taken.
TEST(SplitBatch, StaysWithinTheLargestTotalAtTheSmallestPerGpuBatch) {
  BatchLimits limits = kLimits;
  limits.per_gpu_max = limits.per_gpu_min;

  EXPECT_EQ(split_batch(1024, 3, limits), (BatchPlan{8, 42}));
}

TEST(SplitBatch, NeverGoesBelowTheSmallestPerGpuBatch) {
  EXPECT_EQ(split_batch(16, 4, kLimits), (BatchPlan{8, 1}));
}

// 2 GB + 0.1 GB per sample: 5 GB hold 30 samples.
TEST(BatchLimitsWithin, CutsThePerGpuBatchToTheMemory) {
  EXPECT_EQ(limits_within(facts(), Bytes{5e9}).per_gpu_max, 30);
  EXPECT_EQ(limits_within(facts(), Bytes{16e9}).per_gpu_max, 64);
  EXPECT_EQ(limits_within(facts(), Bytes{}).per_gpu_max, 64);
  EXPECT_EQ(limits_within(facts(), Bytes{1e9}).per_gpu_max, 0);
}

TEST(FixedSizing, KeepsTheUsersTotal) {
  JobView view = job(0, 4);
  view.requested_batch = 512;

  EXPECT_EQ(plan_of(Fixed({}), view), (BatchPlan{64, 2}));
  EXPECT_EQ(plan_of(Fixed({}), view).total(4), 512);
}

TEST(LinearSizing, GivesEveryReplicaTheReferenceBatch) {
  EXPECT_EQ(plan_of(Linear({}), job(0, 4)), (BatchPlan{32, 1}));
  EXPECT_EQ(plan_of(Linear({}), job(0, 1)), (BatchPlan{32, 1}));
}

TEST(LinearSizing, IsCappedByTheLimits) {
  const BatchLimits small_gpu{.per_gpu_min = 8, .per_gpu_max = 16, .total_max = 1024};

  EXPECT_EQ(plan_of(Linear({}), job(0, 4), small_gpu), (BatchPlan{16, 1}));
  EXPECT_EQ(plan_of(Linear({}), job(0, 64)).total(64), 1024);
}

class GoodputSizing : public ::testing::Test {
 protected:
  GoodputSizing() {
    view_ = job(0, 2);
    view_.progress.noise_scale = 300.0;
    view_.batch = {32, 1};
    allocation_.slots = {{GpuId{0}, LaneId{0}}, {GpuId{1}, LaneId{1}}};
  }
  [[nodiscard]] BatchQuery query(BatchLimits limits = kLimits) const {
    return {view_, &allocation_, limits, estimate_};
  }

  JobView view_;
  Allocation allocation_;
  ProfileEstimate estimate_{std::make_shared<AffineSteps>()};
};

// 2 replicas of 32: 64 samples in 42 ms are 1523.8/s; (300+32)/(300+64) of it is 1389.85.
TEST_F(GoodputSizing, IsThroughputTimesStatisticalEfficiency) {
  EXPECT_NEAR(Goodput::goodput(query(), {32, 1}), 64 / 0.042 * 332.0 / 364.0, 1e-6);
}

// Without accumulation, goodput(m) is proportional to m/((10+m)(300+2m)). It is greatest at 2m² =
// 3000, i.e. m = 38.73. Accumulation makes a sample cost more and is never better here.
TEST_F(GoodputSizing, FindsTheGreatestGoodputOfTheGrid) {
  const auto best = Goodput::best(query());

  ASSERT_TRUE(best);
  EXPECT_EQ(best->accumulation, 1);
  EXPECT_NEAR(static_cast<double>(best->per_gpu), 38.73, 2.0);
  for (std::int64_t m = 16; m <= 64; ++m) {
    EXPECT_LE(Goodput::goodput(query(), {m, 1}), 1.002 * Goodput::goodput(query(), *best)) << m;
  }
}

TEST_F(GoodputSizing, NeverGoesBelowTheReferenceBatch) {
  view_.progress.noise_scale = 0.001;

  EXPECT_EQ(Goodput::best(query()), (BatchPlan{16, 1}));
}

TEST_F(GoodputSizing, GrowsTheBatchWithTheNoiseScale) {
  view_.progress.noise_scale = 1e6;

  EXPECT_EQ(Goodput::best(query())->per_gpu, 64);
}

TEST_F(GoodputSizing, IsTheThroughputWhereTheNoiseScaleIsInfinite) {
  view_.progress.noise_scale = std::numeric_limits<double>::infinity();

  EXPECT_NEAR(Goodput::goodput(query(), {32, 1}), 64 / 0.042, 1e-6);
  EXPECT_EQ(Goodput::best(query())->per_gpu, 64);
}

TEST_F(GoodputSizing, MeasuresTheNoiseOfASingleReplicaByTwoMicroBatches) {
  view_.gang = 1;
  allocation_.slots.resize(1);
  view_.progress.noise_scale = 1e6;

  EXPECT_GE(Goodput::best(query())->accumulation, 2);
}

TEST_F(GoodputSizing, KeepsTheUsersBatchUntilANoiseScaleIsReported) {
  view_.progress.noise_scale = 0.0;
  view_.requested_batch = 48;

  EXPECT_EQ(Goodput({}).plan(query()), (BatchPlan{24, 1}));
  EXPECT_FALSE(Goodput({}).retune(query()));
}

TEST_F(GoodputSizing, BeginsWithTheReferenceBatchWhereAskedTo) {
  view_.progress.noise_scale = 0.0;
  view_.requested_batch = 512;

  EXPECT_EQ(Goodput({.first = Goodput::First::reference}).plan(query()).total(2), 32);
  EXPECT_EQ(Goodput({}).plan(query()).total(2), 512);
}

TEST_F(GoodputSizing, LeavesRigidJobsTheirBatch) {
  view_.rigid = true;
  view_.requested_batch = 512;
  view_.batch = {8, 1};

  EXPECT_EQ(Goodput({}).plan(query()).total(2), 512);
  EXPECT_EQ(Goodput({}).retune(query()), std::nullopt);
}

TEST_F(GoodputSizing, SwitchesOnlyForMoreThanTheDemandedGain) {
  // From 32 to 39 per GPU the gain is 0.4 %, from 8 to 39 it is far more than 5 %.
  EXPECT_FALSE(Goodput({}).retune(query()));
  EXPECT_TRUE(Goodput({.interval = {}, .gain = 1.0}).retune(query()));
  view_.batch = {16, 1};

  EXPECT_TRUE(Goodput({}).retune(query()));
}

}  // namespace
}  // namespace mimus::scheduler::test
