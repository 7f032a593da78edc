// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Step times of split models that can be computed by hand.
#include "kernels/parallel/split_step_time.hpp"

#include <gtest/gtest.h>

#include "kernels/parallel/parallel_plan.hpp"
#include "kernels/parallel/rank_communication.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

/// Of up to four stages.
const GangLinks kUnitLinks(4, {.data = {BytesPerSecond{1e3}, {}, true},
                               .tensor = {BytesPerSecond{1e3}, {}},
                               .pipeline = {BytesPerSecond{1e3}, {}}});

/// A stage whose forward pass takes 2 ms and whose backward pass takes 4 ms; the optimiser takes 1.
FootprintPlan stage_of(const ParallelShape& shape, int stage, RankCommunication communication) {
  FootprintPlan plan;
  plan.shape = {.per_gpu_batch = 1, .accumulation = shape.micro_batches, .replicas = shape.data};
  plan.forward = {{.kernels = {}, .device_time = milliseconds{2}}};
  plan.backward = {{.kernels = {}, .device_time = milliseconds{4}}};
  plan.optimiser.device_time = milliseconds{1};
  communication.shape = shape;
  communication.stage = stage;
  communication.schedule = pipeline_schedule(shape, stage);
  plan.split = std::make_shared<const RankCommunication>(std::move(communication));
  return plan;
}

std::vector<FootprintPlan> pipeline_of(int stages, int micro_batches,
                                       const RankCommunication& communication = {}) {
  std::vector<FootprintPlan> plans;
  const ParallelShape shape{.pipeline = stages, .micro_batches = micro_batches};
  for (int stage = 0; stage < stages; ++stage) {
    plans.push_back(stage_of(shape, stage, communication));
  }
  return plans;
}

// (m + p − 1)(f + b) and the optimiser: m = 8, p = 4 are 11 times 6 ms, and 1 ms.
TEST(SplitStepTime, APipelineFillsAndDrains) {
  EXPECT_EQ(gang_step_time(pipeline_of(4, 8), kUnitLinks).total, milliseconds{67});
  EXPECT_EQ(gang_step_time(pipeline_of(1, 8), kUnitLinks).total, milliseconds{49});
}

// The bubble's share of the ideal time is (p − 1) ÷ m (Narayanan et al., SC'21).
TEST(SplitStepTime, TheBubbleIsAsPublished) {
  const double ideal = 8 * 6.0;
  const double total = to_seconds(gang_step_time(pipeline_of(4, 8), kUnitLinks).total) * 1e3 - 1.0;
  EXPECT_DOUBLE_EQ(total / ideal - 1.0, pipeline_bubble({.pipeline = 4, .micro_batches = 8}));
}

// Two stages and one micro-batch: 2, a transfer of 3 bytes in 3 ms, 2 + 4, the gradients' 3, 4, 1.
TEST(SplitStepTime, TransfersLieBetweenStages) {
  RankCommunication communication;
  communication.boundary = Bytes{3.0};
  EXPECT_EQ(gang_step_time(pipeline_of(2, 1, communication), kUnitLinks).total, milliseconds{19});
}

// Two ranks gather 4 bytes before each forward pass: 2 ms that are not hidden, in 3 micro-batches.
TEST(SplitStepTime, ExchangesOfSharedLayersAreExposed) {
  RankCommunication communication;
  communication.forward = {{.op = CollectiveOp::all_gather, .size = Bytes{4.0}}};
  const std::vector plans{stage_of({.tensor = 2, .micro_batches = 3}, 0, communication)};
  const StepTime time = gang_step_time(plans, kUnitLinks);
  EXPECT_EQ(time.total, milliseconds{3 * (2 + 2 + 4) + 1});
  EXPECT_EQ(time.exposed_communication, milliseconds{6});
  EXPECT_EQ(time.device, milliseconds{3 * 6 + 1});
}

// The same beside the pass: 2 ms of transfer are hidden by its 4 ms.
TEST(SplitStepTime, OverlappedExchangesHide) {
  RankCommunication communication;
  communication.backward = {
      {.op = CollectiveOp::all_gather, .size = Bytes{4.0}, .overlapped = true}};
  const std::vector plans{stage_of({.tensor = 2, .micro_batches = 3}, 0, communication)};
  EXPECT_EQ(gang_step_time(plans, kUnitLinks).total, milliseconds{19});
}

// Four replicas reduce 8 bytes after the last backward pass: 2 · 3/4 · 8 = 12 ms.
TEST(SplitStepTime, GradientsAreReducedOncePerStep) {
  RankCommunication communication;
  communication.reduce = {{.op = CollectiveOp::all_reduce,
                           .group = ParallelGroup::data,
                           .size = Bytes{8.0},
                           .after = 1}};
  const std::vector plans{stage_of({.data = 4, .micro_batches = 3}, 0, communication)};
  EXPECT_EQ(gang_step_time(plans, kUnitLinks).total, milliseconds{18 + 12 + 1});
  EXPECT_EQ(crossing_time(plans, kUnitLinks), milliseconds{12}) << "its link crosses nodes";
}

// The first and last of two stages sum 2 bytes in 2 ms when both are done: the pipeline takes 18
// ms.
TEST(SplitStepTime, ATiedTableIsSummedAtTheEnd) {
  RankCommunication communication;
  communication.reduce = {{.op = CollectiveOp::all_reduce,
                           .group = ParallelGroup::pipeline,
                           .size = Bytes{2.0},
                           .after = 1}};
  const StepTime time = gang_step_time(pipeline_of(2, 2, communication), kUnitLinks);
  EXPECT_EQ(time.total, milliseconds{18 + 2 + 1});
  EXPECT_EQ(time.exposed_communication, milliseconds{2}) << "the last stage's wait does not count";
}

TEST(SplitStepTime, AModelThatIsNotSplitIsTimedAsEver) {
  const auto model = test::gpt(2, 256);
  const StepShape step{.per_gpu_batch = 2, .accumulation = 2, .replicas = 4};
  const auto plans = make_gang_plans(model, gpu_spec("A100"), step);
  EXPECT_EQ(
      gang_step_time(plans, kUnitLinks).total,
      solo_step_time(make_plan(model, gpu_spec("A100"), step), kUnitLinks.front().data).total);
}

// Two stages and one micro-batch, as in TransfersLieBetweenStages: 19 ms with 3 ms per transfer.
// Over the second stage's link, which leads to the first one's table, nothing else passes. Its
// ranks exchange 4 bytes ten times as slowly before the forward pass, in 20 ms.
TEST(SplitStepTime, EveryStageHasItsOwnLinks) {
  GangLinks links(2, kUnitLinks.front());
  links[1].pipeline.bandwidth = BytesPerSecond{1.0};
  links[1].tensor.bandwidth = BytesPerSecond{100.0};
  RankCommunication communication;
  communication.boundary = Bytes{3.0};
  EXPECT_EQ(gang_step_time(pipeline_of(2, 1, communication), links).total, milliseconds{19});

  const ParallelShape shape{.tensor = 2, .pipeline = 2, .micro_batches = 1};
  RankCommunication exchanging = communication;
  exchanging.forward = {{.op = CollectiveOp::all_gather, .size = Bytes{4.0}}};
  const auto with = [&](int stage) {
    std::vector<FootprintPlan> plans;
    for (int s = 0; s < 2; ++s) {
      plans.push_back(stage_of(shape, s, s == stage ? exchanging : communication));
    }
    return gang_step_time(plans, links).total;
  };
  EXPECT_EQ(with(0), milliseconds{19 + 2});
  EXPECT_EQ(with(1), milliseconds{19 + 20});
}

}  // namespace
}  // namespace mimus::kernels
