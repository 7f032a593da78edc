// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::error_message;
using testing::ElementsAre;
using testing::HasSubstr;

CalibrationBed bed_of(const CalibrateOptions& options,
                      const std::vector<Override>& overrides = {}) {
  CalibrationBed bed = read_bed("", overrides);
  fit_cluster(bed.cluster, options.shapes, options.pairs ? 2 : 1);
  return bed;
}

CalibrateOptions options_for(std::vector<std::string> models) {
  CalibrateOptions options;
  options.models = std::move(models);
  return options;
}

std::vector<std::int64_t> batches(const CalibrationPlan& plan) {
  std::vector<std::int64_t> out;
  for (const SoloPoint& point : plan.alone) out.push_back(point.batch);
  return out;
}

// resnet18 trains with 32 to 1024 per GPU: factors of 32^(1/3) between, 32 · 3.1748 = 101.6.
TEST(CalibrationPlan, FourBatchesStandForAModelsRange) {
  const auto options = options_for({"resnet18"});
  const CalibrationBed bed = bed_of(options);

  EXPECT_THAT(batches(plan_calibration(options, bed)), ElementsAre(32, 102, 323, 1024));
}

TEST(CalibrationPlan, AllMeansThePowersOfTwo) {
  auto options = options_for({"resnet18"});
  options.batches.kind = BatchSelection::Kind::all;
  const CalibrationBed bed = bed_of(options);

  EXPECT_THAT(batches(plan_calibration(options, bed)), ElementsAre(32, 64, 128, 256, 512, 1024));
}

// Refused before a world is launched, not hours later when the model is due.
TEST(CalibrationPlan, HeadsThatNoFusedKernelTakesAreRefused) {
  const auto options = options_for({"resnet18", "wide"});
  CalibrationBed bed = bed_of(options);
  workloads::Model wide = bed.models.at("bert-base");
  wide.name = "wide";
  for (workloads::Layer& layer : wide.layers) {
    for (std::int64_t* side : {&layer.gemm.columns, &layer.gemm.inner}) {
      if (*side == 64) *side = 80;
    }
  }
  bed.models.add(wide);
  bed.engine.device = "cuda";
  const auto plan = [&] { (void)plan_calibration(options, bed); };

  EXPECT_NO_THROW(plan());
  bed.engine.cuda.launches.attention = kernels::Attention::sdpa;
  EXPECT_THAT(error_message(plan), HasSubstr("model \"wide\", layer"));
}

TEST(CalibrationPlan, ABatchThatAModelCannotTakeIsNoted) {
  auto options = options_for({"resnet18"});
  options.batches = {BatchSelection::Kind::listed, {16, 64}};
  const CalibrationBed bed = bed_of(options);

  const CalibrationPlan plan = plan_calibration(options, bed);

  EXPECT_THAT(batches(plan), ElementsAre(64));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("resnet18: batch 16 is outside 32 to 1024")));
}

TEST(CalibrationPlan, NothingLeftIsAnError) {
  auto options = options_for({"resnet18"});
  options.batches = {BatchSelection::Kind::listed, {1}};
  const CalibrationBed bed = bed_of(options);

  EXPECT_THAT(error_message([&] { (void)plan_calibration(options, bed); }),
              HasSubstr("nothing is left to measure"));
}

TEST(CalibrationPlan, TheGpusMemoryBoundsTheBatch) {
  const auto options = options_for({"resnet50"});
  const CalibrationBed bed = bed_of(options, {{"cluster.gpu_memory", "4 GB"}});

  const auto planned = batches(plan_calibration(options, bed));

  const auto& model = bed.models.at("resnet50");
  EXPECT_EQ(planned.front(), model.batch.per_gpu_min);
  EXPECT_LE(model.memory(planned.back()), Bytes{4e9});
  EXPECT_GT(model.memory(planned.back() + 1), Bytes{4e9});
}

// Three pairs of two models: each beside itself, and both together. Slowdowns are relative to the
// reference batches without co-tenants, which are not in the list of batches.
TEST(CalibrationPlan, PairsNeedTheirReferenceBatchesAlone) {
  auto options = options_for({"resnet18", "neumf"});
  options.pairs = true;
  options.batches = {BatchSelection::Kind::listed, {64}};
  const CalibrationBed bed = bed_of(options);

  const CalibrationPlan plan = plan_calibration(options, bed);

  EXPECT_THAT(batches(plan), ElementsAre(64, 64, 128, 256));
  ASSERT_EQ(plan.pairs.size(), 3U);
  EXPECT_EQ(key_rows(plan.pairs[0]).size(), 1U);  // resnet18 beside itself
  const auto both = key_rows(plan.pairs[1]);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].model, "resnet18");
  EXPECT_EQ(both[1].model, "neumf");
  EXPECT_EQ(both[1].co_per_gpu_batch, 128);
  EXPECT_EQ(world_shape(bed).ranks(), 3);
}

TEST(CalibrationPlan, AModelThatIsNamedTwiceIsMeasuredOnce) {
  auto options = options_for({"resnet18", "neumf", "resnet18"});
  options.pairs = true;
  options.batches = {BatchSelection::Kind::listed, {1, 64}};
  const CalibrationBed bed = bed_of(options);

  const CalibrationPlan plan = plan_calibration(options, bed);

  EXPECT_EQ(plan.pairs.size(), 3U);
  EXPECT_EQ(plan.notes.size(), 2U);  // batch 1 of each
}

TEST(CalibrationPlan, PairsThatDoNotFitAreNoted) {
  auto options = options_for({"resnet50"});
  options.pairs = true;
  const CalibrationBed bed = bed_of(options);  // two of 10.4 GB on a T4

  const CalibrationPlan plan = plan_calibration(options, bed);

  EXPECT_TRUE(plan.pairs.empty());
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("resnet50 (200) beside resnet50 (200)")));
}

TEST(CalibrationBed, KeepsOnlyTheGpusThatTheShapesNeed) {
  auto options = options_for({"resnet18"});
  options.shapes = {{1}, {2, 2}};
  const CalibrationBed bed = bed_of(options, {{"cluster.nodes", "8"}});

  EXPECT_EQ(bed.cluster.shape.nodes, 2);
  EXPECT_EQ(bed.cluster.shape.gpus_per_node, 2);
  const auto slots = slots_of(bed.cluster.shape, {2, 2});
  EXPECT_EQ(bed.cluster.shape.shape_of(slots), "2+2");
}

// Islands of two: three GPUs of a node span two islands, as on the whole node.
TEST(CalibrationBed, IslandsStayWhatTheyAre) {
  auto options = options_for({"resnet18"});
  options.shapes = {{3}};
  const CalibrationBed bed =
      bed_of(options, {{"cluster.gpus_per_node", "8"}, {"cluster.gpus_per_island", "2"}});

  EXPECT_EQ(bed.cluster.shape.gpus_per_node, 4);
  const auto row = key_row({&bed.models.at("resnet18"), {3}, 64}, bed);
  EXPECT_EQ(row.locality, "same_node");
}

TEST(CalibrationBed, SaysHowToMakeRoomForAShape) {
  auto options = options_for({"resnet18"});
  options.shapes = {{2, 2}};

  EXPECT_THAT(error_message([&] { (void)bed_of(options); }), HasSubstr("--set cluster.nodes=2"));
}

TEST(CalibrationBed, RefusesAKeyThatNoCampaignHas) {
  EXPECT_THAT(error_message([] {
                (void)read_bed("", {{"clustre.nodes", "2"}});
              }),
              HasSubstr("did you mean \"cluster\""));
}

}  // namespace
}  // namespace mimus::emulator
