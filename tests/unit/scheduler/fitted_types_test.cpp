// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "samples.hpp"
#include "scheduler/estimate/fitted_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

/// Nodes of two GPUs of type A, then of four of type B.
ClusterShape types_a_and_b() {
  return ClusterShape::of_groups({{.nodes = 2, .gpus_per_node = 2, .gpu_type = "A"},
                                  {.nodes = 2, .gpus_per_node = 4, .gpu_type = "B"}},
                                 4);
}

struct FittedThroughputOnTypes : ::testing::Test {
  FittedThroughputOnTypes() { estimate.begin(types_a_and_b()); }
  void observe_on(const std::vector<int>& gpus, JobSample sample) {
    for (const int gpu : gpus) view.allocation.slots.push_back({GpuId{gpu}, {}});
    sample.gpus = static_cast<int>(gpus.size());
    estimate.observe(view, sample);
    view.allocation.slots.clear();
  }
  FittedEstimate estimate{{}};
  JobView view = job(0);
};

TEST_F(FittedThroughputOnTypes, IsThatOfTheTypeItWasMeasuredOn) {
  observe_on({0}, sample_at(10));
  JobSample slow = sample_at(20);
  slow.step = seconds(2.0);
  observe_on({4, 5}, slow);

  const auto on = [&](int gpu) {
    return estimate.throughput(view, {{{GpuId{gpu}, {}}}}, {32, 1}).value_or(0.0);
  };
  EXPECT_NEAR(on(3), 32 / 0.5, 1e-4);
  EXPECT_NEAR(on(11), 32 / 2.0, 1e-4);
  EXPECT_EQ(estimate.most_gpus(view, 0), 2);
  EXPECT_EQ(estimate.most_gpus(view, 1), 4);
}

TEST_F(FittedThroughputOnTypes, IsNotKnownOfOthers) {
  observe_on({0}, sample_at(10));
  EXPECT_EQ(estimate.throughput(view, {{{GpuId{4}, {}}}}, {32, 1}), std::nullopt);
  EXPECT_FALSE(estimate.rate_on(view, {.nodes = 1, .gpus = 1, .type = 1}));
  EXPECT_EQ(estimate.most_gpus(view, 1), 1);
}

// Two nodes have four GPUs of type A, but only one of type B: sync is 1.5 s across nodes of A.
TEST_F(FittedThroughputOnTypes, CountsTheNodesOfGroups) {
  JobSample two = sample_at(20);
  two.step = seconds(2.0);
  two.sync = seconds(1.5);
  two.nodes = 2;
  observe_on({0}, sample_at(10));
  observe_on({0, 2}, two);
  observe_on({0}, sample_at(50));
  const auto on = [&](std::vector<int> gpus) {
    Allocation place;
    for (const int gpu : gpus) place.slots.push_back({GpuId{gpu}, {}});
    return 64.0 / estimate.throughput(view, place, {32, 1}).value_or(0.0);
  };
  EXPECT_NEAR(on({1, 3}), 2.0, 0.02);
  EXPECT_NEAR(on({0, 1}), 0.5, 0.02);
}

/// A step takes 0.5 s on GPUs of type A, the nodes 0 and 1, and 0.2 s on others.
class ProfileOfTypes final : public ThroughputEstimate {
 public:
  [[nodiscard]] std::string name() const override { return "types"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const Allocation& allocation,
                                                  const BatchPlan&) const override {
    return seconds(allocation.slots.front().gpu.value() < 4 ? 0.5 : 0.2);
  }
};

struct ProfiledThroughput : FittedThroughputOnTypes {
  ProfiledThroughput() {
    estimate = FittedEstimate({.solo = FittedEstimate::Solo::profiled},
                              std::make_shared<ProfileOfTypes>());
    estimate.begin(types_a_and_b());
  }
  [[nodiscard]] double rate(int type, int gpus) const {
    const StepRate rate = estimate.rate_on(view, {.nodes = 1, .gpus = gpus, .type = type});
    return rate ? rate({32, 1}).value_or(0.0) : 0.0;
  }
};

TEST_F(ProfiledThroughput, IsKnownOfEachTypeBeforeTheJobStarts) {
  EXPECT_NEAR(rate(0, 1), 32 / 0.5, 1e-9);
  EXPECT_NEAR(rate(1, 1), 32 / 0.2, 1e-9);
  EXPECT_NEAR(rate(1, 4), 4 * 32 / 0.2, 1e-9) << "perfect scaling until it is tried";
  EXPECT_EQ(estimate.most_gpus(view, 1), 1);
  EXPECT_EQ(estimate.name(), "fitted+types");
}

// Two GPUs of type A take 0.8 s, 0.3 s of them for synchronisation.
TEST_F(ProfiledThroughput, IsCarriedOverByTheRatioOfSpeedsOnOneGpu) {
  JobSample two = sample_at(20);
  two.step = seconds(0.8);
  two.sync = seconds(0.3);
  observe_on({0}, sample_at(10));
  EXPECT_NEAR(rate(1, 2), 2 * 32 / 0.2, 1e-9) << "only one GPU has been tried";
  observe_on({0, 1}, two);
  observe_on({0}, sample_at(50));

  EXPECT_NEAR(rate(0, 2), 64 / 0.8, 0.5);
  EXPECT_NEAR(rate(1, 2), rate(0, 2) * 0.5 / 0.2, 1e-9);
  EXPECT_EQ(estimate.most_gpus(view, 1), 4);
}

TEST_F(ProfiledThroughput, IsTheJobsOwnOnceItHasRunOnSeveralGpusOfTheType) {
  JobSample two = sample_at(20);
  two.step = seconds(0.8);
  two.sync = seconds(0.3);
  observe_on({4, 5}, two);

  EXPECT_NEAR(rate(1, 2), 64 / 0.8, 0.5);
}

TEST(ProfiledThroughputWithout, AProfileIsNotReady) {
  EXPECT_FALSE(FittedEstimate({.solo = FittedEstimate::Solo::profiled}).ready());
  EXPECT_TRUE(FittedEstimate({}).ready());
}

}  // namespace
}  // namespace mimus::scheduler::test
