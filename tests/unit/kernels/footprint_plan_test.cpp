// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/footprint_plan.hpp"

#include <cctype>

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

Segment segment(int device_ms, int host_ms, int bucket = -1) {
  Segment out;
  out.device_time = milliseconds{device_ms};
  out.host_time = milliseconds{host_ms};
  out.releases_bucket = bucket;
  return out;
}

/// One byte per second per unit: a bucket of 2·n/(2(n−1))·t bytes takes t seconds.
constexpr GangLink kUnitLink{BytesPerSecond{1.0}, Duration{}};

TEST(RingVolume, FollowsTheRingAlgorithm) {
  const Bytes size{100.0};

  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::all_reduce, size, 4).value, 150.0);  // 2·3/4·100
  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::all_gather, size, 4).value, 75.0);
  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::reduce_scatter, size, 4).value, 75.0);
  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::all_to_all, size, 4).value, 75.0);  // 3 messages of 25
  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::broadcast, size, 4).value, 100.0);
  EXPECT_DOUBLE_EQ(ring_volume(CollectiveOp::send_recv, size, 4).value, 100.0);
}

TEST(CollectiveTime, AddsLatencyPerRingStep) {
  const GangLink link{BytesPerSecond{1000.0}, milliseconds{10}};

  // 2(n−1) = 6 steps of 10 ms, and 150 bytes at 1,000 bytes/s.
  EXPECT_EQ(collective_time(CollectiveOp::all_reduce, Bytes{100.0}, 4, link), milliseconds{210});
  EXPECT_EQ(collective_time(CollectiveOp::all_reduce, Bytes{100.0}, 1, link), Duration{});
}

TEST(CollectiveTime, OfAnAllToAllIsThatOfAllMessagesThatLeaveANode) {
  GangLink link{BytesPerSecond{1000.0}, milliseconds{10}, true};

  // 3 messages of 25 bytes, one after the other: 3 × 10 ms and 75 bytes at 1,000 bytes/s.
  EXPECT_EQ(collective_time(CollectiveOp::all_to_all, Bytes{100.0}, 4, link), milliseconds{105});
  // With two of the four on a node, 2 × 2 messages leave it while each member sends 3.
  link.exchange_load = 4.0 / 3.0;
  EXPECT_EQ(collective_time(CollectiveOp::all_to_all, Bytes{100.0}, 4, link), milliseconds{130});
  EXPECT_EQ(collective_time(CollectiveOp::all_gather, Bytes{100.0}, 4, link), milliseconds{105});
}

TEST(SoloStepTime, IsDeviceBoundWhenTheHostRunsAhead) {
  FootprintPlan plan;
  plan.forward = {segment(10, 1)};
  plan.backward = {segment(20, 1)};
  plan.optimiser = segment(5, 1);

  // The device never waits: 10 + 20 + 5.
  EXPECT_EQ(solo_step_time(plan, kUnitLink).total, milliseconds{35});
}

TEST(SoloStepTime, IsHostBoundWhenLaunchesAreSlower) {
  FootprintPlan plan;
  plan.forward = {segment(1, 10)};
  plan.backward = {segment(1, 20)};
  plan.optimiser = segment(1, 5);

  // Launches take 10 + 20 + 5, and the kernels hide behind them.
  const StepTime time = solo_step_time(plan, kUnitLink);
  EXPECT_EQ(time.total, milliseconds{35});
  EXPECT_EQ(time.device, milliseconds{3});
}

TEST(SoloStepTime, OverlapsBucketsWithTheBackwardPass) {
  FootprintPlan plan;
  plan.shape.replicas = 2;  // all-reduce volume = size
  plan.forward = {segment(10, 0)};
  plan.backward = {segment(10, 0, 0), segment(10, 0, 1)};
  plan.optimiser = segment(5, 0);
  plan.buckets = {Bytes{0.015}, Bytes{0.020}};

  // Bucket 0 is ready at 20 ms and takes 15, until 35. Bucket 1 is ready at 30, waits and ends at
  // 55. The last kernel ended at 30, so 25 ms are exposed. The optimiser ends at 60.
  const StepTime time = solo_step_time(plan, kUnitLink);
  EXPECT_EQ(time.exposed_communication, milliseconds{25});
  EXPECT_EQ(time.total, milliseconds{60});
}

TEST(SoloStepTime, CommunicatesOncePerStepWithAccumulation) {
  FootprintPlan plan;
  plan.shape = {.per_gpu_batch = 1, .accumulation = 3, .replicas = 2};
  plan.forward = {segment(10, 0)};
  plan.backward = {segment(10, 0, 0)};
  plan.optimiser = segment(5, 0);
  plan.buckets = {Bytes{0.040}};
  plan.buffer_broadcast = Bytes{0.010};

  // 10 ms for the buffers, 3·20 ms of kernels, one bucket of 40 ms after the last kernel, optimiser
  // 5.
  EXPECT_EQ(solo_step_time(plan, kUnitLink).total, milliseconds{115});
}

TEST(SoloStepTime, CannotBeatTheInputCopy) {
  FootprintPlan plan;
  plan.forward = {segment(1, 0)};
  plan.backward = {segment(1, 0)};
  plan.optimiser = segment(1, 0);
  plan.input_copy = milliseconds{50};

  EXPECT_EQ(solo_step_time(plan, kUnitLink).total, milliseconds{50});
}

TEST(SoloStepTime, CountsNoOthersOfTheNodeOnceTheirNumberIsFixed) {
  FootprintPlan plan;
  plan.forward = {segment(5, 20)};
  plan.forward[0].host_time_per_neighbour = milliseconds{10};
  ASSERT_EQ(solo_step_time(plan, kUnitLink, {.gpus = 3}).total, milliseconds{40});

  fix_gpus_in_use(plan, 2);

  EXPECT_EQ(solo_step_time(plan, kUnitLink, {.gpus = 1}).total, milliseconds{30});
  EXPECT_EQ(solo_step_time(plan, kUnitLink, {.gpus = 3}).total, milliseconds{30});
}

// 5 of 20 ms launch kernels. The input pipeline takes 15 ms, and 10 more for each of two
// neighbours. With 1.5 times as many cores asked for as there are, it takes 1.5 · 35 ms.
TEST(SoloStepTime, StretchesTheInputPipelineWhereCoresAreShort) {
  FootprintPlan plan;
  plan.forward = {segment(5, 20)};
  plan.forward[0].input_time = milliseconds{15};
  plan.forward[0].host_time_per_neighbour = milliseconds{10};

  const NodeUse node{.gpus = 3, .core_load = 1.5};
  EXPECT_EQ(solo_step_time(plan, kUnitLink, node).total, std::chrono::microseconds{57'500});

  fix_gpus_in_use(plan, 3);
  EXPECT_EQ(solo_step_time(plan, kUnitLink, node).total, std::chrono::microseconds{57'500});
}

class EveryModel : public testing::TestWithParam<std::string> {};

TEST_P(EveryModel, ReleasesEveryBucketOnceInOrder) {
  const auto catalogue = workloads::ModelCatalogue::built_in();
  const auto plan = make_plan(catalogue.at(GetParam()), gpu_spec("T4"),
                              {.per_gpu_batch = 4, .accumulation = 1, .replicas = 4});

  std::vector<int> released;
  for (const Segment& s : plan.backward) {
    if (s.releases_bucket >= 0) released.push_back(s.releases_bucket);
  }
  ASSERT_EQ(released.size(), plan.buckets.size());
  for (std::size_t i = 0; i < released.size(); ++i) EXPECT_EQ(released[i], static_cast<int>(i));
  EXPECT_EQ(plan.buckets.empty(), catalogue.at(GetParam()).grid.used());
}

TEST_P(EveryModel, KeepsAllFlopOfTheFootprint) {
  const auto catalogue = workloads::ModelCatalogue::built_in();
  const auto& model = catalogue.at(GetParam());

  const auto plan = make_plan(model, gpu_spec("T4"), {.per_gpu_batch = 8});

  double flop = 0.0;
  for (const auto& s : plan.forward) {
    for (const auto& k : s.kernels) flop += k.flop.value;
  }
  for (const auto& s : plan.backward) {
    for (const auto& k : s.kernels) flop += k.flop.value;
  }
  const double expected = 8.0 * (model.forward_flop() + model.backward_flop()).value;
  EXPECT_NEAR(flop / expected, 1.0, 1e-9);
}

TEST_P(EveryModel, IsSlowerOnAnOlderGpuAndWithALargerBatch) {
  const auto catalogue = workloads::ModelCatalogue::built_in();
  const auto& model = catalogue.at(GetParam());
  const auto device_time = [&](const char* gpu, std::int64_t batch) {
    return make_plan(model, gpu_spec(gpu), {.per_gpu_batch = batch}).device_time();
  };

  EXPECT_GT(device_time("T4", 8), device_time("H100", 8));
  EXPECT_GT(device_time("T4", 16), device_time("T4", 8));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModel,
                         testing::ValuesIn(workloads::ModelCatalogue::built_in().names()),
                         [](const auto& model) {
                           std::string name = model.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(GpuSpec, UnknownNameSuggestsTheNearest) {
  try {
    (void)gpu_spec("V10");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"V100\"?"), std::string::npos);
  }
}

}  // namespace
}  // namespace mimus::kernels
