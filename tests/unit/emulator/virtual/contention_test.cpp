// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/contention.hpp"

#include <gtest/gtest.h>

#include "emulator/sharing/slices_law.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

class ContentionTest : public testing::Test {
 protected:
  ClusterConfig cluster_ = small_cluster();
  StatedSteps steps_;
  LawOfTenants none_{steps_, BytesPerSecond{1e9}, make_sharing_law(ConfigNode::text("none"), {})};
  LawOfTenants shared_{steps_, BytesPerSecond{1e9},
                       std::make_unique<SlicesLaw>(SlicesLaw::Settings{})};
  std::vector<AttemptId> changed_;

  /// What a gang has of its narrowest link on average, ÷ what it has alone.
  static double mean_share(const Contention& contention, const Attempt& gang) {
    double mean = 0.0;
    for (const auto& [share, probability] : contention.of(gang.id).link_shares) {
      mean += probability * share;
    }
    return mean;
  }
};

TEST_F(ContentionTest, ALoneAttemptHasEverythingToItself) {
  Contention contention(cluster_, steps_, shared_);
  const auto gang = attempt_on(1, {0, 4});
  steps_.stated[gang.id] = {.uplink = 1.0};

  contention.enter(gang, changed_);

  EXPECT_EQ(contention.of(gang.id), Surroundings{});
  EXPECT_EQ(contention.co_tenants(gang.id), 0);
  EXPECT_TRUE(changed_.empty());
}

// Both keep the GPU busy all the time, so each gets half of it.
TEST_F(ContentionTest, TwoSaturatingTenantsTakeTwiceAsLong) {
  Contention contention(cluster_, steps_, shared_);
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  contention.enter(a, changed_);

  contention.enter(b, changed_);

  EXPECT_EQ(contention.of(a.id).device_stretch, 2.0);
  EXPECT_EQ(contention.of(b.id).device_stretch, 2.0);
  EXPECT_EQ(contention.co_tenants(a.id), 1);
  EXPECT_EQ(changed_, std::vector{a.id});
}

// The third job leaves their GPU alone, but their host has less time for each of them: kernels that
// take twice as long want the device for 0.8 of their steps of two seconds, those that take 1 ÷ 0.6
// times as long for two thirds of them.
TEST_F(ContentionTest, TenantsThatWaitForTheirHostTakeTurnsLessOften) {
  steps_.hosts = true;
  Contention contention(cluster_, steps_, shared_);
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  const auto c = attempt_on(3, {1});
  steps_.stated[a.id] = steps_.stated[b.id] = {.busy = 0.8};
  contention.enter(a, changed_);
  contention.enter(b, changed_);
  EXPECT_DOUBLE_EQ(contention.of(a.id).device_stretch, 2.0);

  contention.enter(c, changed_);
  EXPECT_DOUBLE_EQ(contention.of(a.id).device_stretch, 1.5);
  contention.leave(c.id, changed_);
  EXPECT_DOUBLE_EQ(contention.of(b.id).device_stretch, 2.0);
}

TEST_F(ContentionTest, AGangIsAsSlowAsItsSlowestReplica) {
  Contention contention(cluster_, steps_, shared_);
  const auto gang = attempt_on(1, {0, 1});
  const auto other = attempt_on(2, {1});
  contention.enter(gang, changed_);
  contention.enter(other, changed_);

  EXPECT_EQ(contention.of(gang.id).device_stretch, 2.0);
}

TEST_F(ContentionTest, ATenantThatSlowsNobodyIsReportedAsANeighbour) {
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  contention.enter(a, changed_);

  contention.enter(b, changed_);

  EXPECT_EQ(changed_, std::vector{a.id});
  EXPECT_EQ(contention.of(a.id), Surroundings{});
  EXPECT_EQ(contention.co_tenants(a.id), 1);
}

// Gangs on nodes 0 and 1 send all the time: each gets 0.5 GB/s of node 0's 1 GB/s.
TEST_F(ContentionTest, TwoGangsThatSendAllTheTimeHalveTheUplink) {
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 4});
  const auto b = attempt_on(2, {1, 5});
  steps_.stated[a.id] = steps_.stated[b.id] = {.uplink = 1.0};
  contention.enter(a, changed_);

  contention.enter(b, changed_);

  EXPECT_EQ(contention.of(a.id).link_shares, std::vector<LinkShare>{{0.5}});
  EXPECT_EQ(contention.of(b.id).link_shares, std::vector<LinkShare>{{0.5}});
  EXPECT_EQ(changed_, std::vector{a.id});
}

// Alone, each sends for half of the time. Beside the other, which sends for 0.5, it has 0.75 of the
// link while it sends, so that it sends for 2/3 ÷ 7/6 of the time.
TEST_F(ContentionTest, GangsShareWhileBothAreSending) {
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 4});
  const auto b = attempt_on(2, {1, 5});
  steps_.stated[a.id] = steps_.stated[b.id] = {.uplink = 0.5};
  contention.enter(a, changed_);
  contention.enter(b, changed_);

  const auto& shares = contention.of(a.id).link_shares;
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_EQ(shares.front().share, 0.5);
  EXPECT_NEAR(shares.front().probability, 4.0 / 7, 1e-12);
  EXPECT_EQ(shares.back().share, 1.0);
  EXPECT_EQ(contention.of(b.id), contention.of(a.id));
  EXPECT_EQ(changed_, std::vector{a.id});
}

// Both send for half a second of a step, which takes a second per GPU in use: first for a quarter
// of the time, and beside a third job on their node for a sixth.
TEST_F(ContentionTest, AGangThatItsHostSlowsSendsForLessOfItsTime) {
  steps_.hosts = true;
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 4});
  const auto b = attempt_on(2, {1, 5});
  const auto c = attempt_on(3, {2});
  steps_.stated[a.id] = steps_.stated[b.id] = {.uplink = 0.5};
  const auto meets_b = [&] { return contention.of(a.id).link_shares.front().probability; };
  contention.enter(a, changed_);
  contention.enter(b, changed_);
  EXPECT_NEAR(meets_b(), 8.0 / 29, 1e-12);

  contention.enter(c, changed_);
  EXPECT_NEAR(meets_b(), 12.0 / 67, 1e-12);
  contention.leave(c.id, changed_);
  EXPECT_NEAR(meets_b(), 8.0 / 29, 1e-12);
}

// a sends for 0.25 alone. Beside b it takes twice as long: for 0.5 ÷ 1.25 of the time.
TEST_F(ContentionTest, AGangThatSendsAllTheTimeWaitsForTheOtherOnlyWhileThatSends) {
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 4});
  const auto b = attempt_on(2, {1, 5});
  steps_.stated[a.id] = {.uplink = 0.25};
  steps_.stated[b.id] = {.uplink = 1.0};
  contention.enter(a, changed_);
  contention.enter(b, changed_);

  EXPECT_NEAR(mean_share(contention, a), 0.5, 1e-12);
  EXPECT_NEAR(mean_share(contention, b), 1.0 - 0.4 / 2, 1e-12);
}

// b, on nodes 0 and 1, meets a on node 0 and c on node 1. That c is there makes b send for longer,
// which a feels.
TEST_F(ContentionTest, AGangFeelsTheNeighboursOfItsNeighbours) {
  cluster_.shape.nodes_per_rack = 4;
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 8});
  const auto b = attempt_on(2, {1, 4});
  const auto c = attempt_on(3, {5, 12});
  for (const auto* gang : {&a, &b, &c}) steps_.stated[gang->id] = {.uplink = 0.3};
  contention.enter(a, changed_);
  contention.enter(b, changed_);
  const double before = mean_share(contention, a);
  changed_.clear();

  contention.enter(c, changed_);

  EXPECT_EQ(changed_, (std::vector{a.id, b.id}));
  EXPECT_LT(mean_share(contention, a), before);
}

// Two gangs on one pair of GPUs use all of what these exchange. A third one across nodes needs 1 of
// the 12 GB/s of a GPU's link, and leaves the rest.
TEST_F(ContentionTest, TenantsShareTheLinksOfTheirGpusByWhatTheyCanUse) {
  Contention contention(cluster_, steps_, none_);
  const auto a = attempt_on(1, {0, 1});
  const auto b = attempt_on(2, {0, 4});
  const auto c = attempt_on(3, {0, 1});
  for (const auto* gang : {&a, &b, &c}) steps_.stated[gang->id] = {.uplink = 1.0};
  contention.enter(a, changed_);
  contention.enter(b, changed_);
  const double load = 1e9 / cluster_.gpu.node_link.reached().value;
  ASSERT_LT(load, 0.2);

  EXPECT_EQ(contention.of(b.id).link_shares, std::vector<LinkShare>{{1.0}});
  EXPECT_NEAR(mean_share(contention, a), 1.0 - load, 1e-12);
  contention.enter(c, changed_);
  EXPECT_NEAR(mean_share(contention, a), (1.0 - load) / 2, 1e-12);
}

// The gang's kernels take three times as long on GPU 0, and those on GPU 1 wait for them. So they
// leave two thirds of GPU 1 to its other tenant.
TEST_F(ContentionTest, AReplicaThatWaitsForASlowerOneTakesNoTurns) {
  cluster_.shape.lanes_per_gpu = 3;
  Contention contention(cluster_, steps_, shared_);
  const auto gang = attempt_on(1, {0, 1});
  const auto a = attempt_on(2, {0});
  const auto b = attempt_on(3, {0});
  const auto beside = attempt_on(4, {1});
  for (const auto* attempt : {&gang, &a, &beside}) contention.enter(*attempt, changed_);
  EXPECT_DOUBLE_EQ(contention.of(beside.id).device_stretch, 2.0);

  changed_.clear();
  contention.enter(b, changed_);

  EXPECT_DOUBLE_EQ(contention.of(gang.id).device_stretch, 3.0);
  // The gang computes beside it for twice as long as alone, and so for 2/3 of the time.
  EXPECT_DOUBLE_EQ(contention.of(beside.id).device_stretch, 1.5);
  EXPECT_EQ(changed_, (std::vector{gang.id, a.id, beside.id}));
}

// Rack uplinks carry 2 × 0.5 GB/s, and gangs across racks request 0.5 GB/s each. Three of them get
// a third of 1 GB/s, which is two thirds of the request. Node uplinks (1 GB/s) are not the
// bottleneck.
TEST_F(ContentionTest, RackUplinksAreSharedByGangsOfDifferentNodes) {
  Contention contention(cluster_, steps_, none_);
  const std::vector<Attempt> gangs{attempt_on(1, {0, 8}), attempt_on(2, {4, 12}),
                                   attempt_on(3, {1, 9})};
  for (const auto& gang : gangs) steps_.stated[gang.id] = {.uplink = 1.0};
  for (const auto& gang : gangs) contention.enter(gang, changed_);

  for (const auto& gang : gangs) EXPECT_NEAR(mean_share(contention, gang), 2.0 / 3, 1e-12);
}

// Node 0: GPUs 0 and 1 of the gang, and GPU 2. Node 1: GPU 4 of the gang, and GPU 5. A second
// tenant of GPU 5 does not add a GPU in use.
TEST_F(ContentionTest, GpusInUseAreThoseOfTheFullestNode) {
  steps_.hosts = true;
  Contention contention(cluster_, steps_, none_);
  const auto gang = attempt_on(1, {0, 1, 4});
  const auto beside = attempt_on(2, {2});
  const auto far = attempt_on(3, {5});
  const auto on_top = attempt_on(4, {5});
  for (const auto* attempt : {&gang, &far, &beside, &on_top}) contention.enter(*attempt, changed_);

  EXPECT_EQ(contention.of(gang.id).gpus_in_use, 3);
  EXPECT_EQ(contention.of(beside.id).gpus_in_use, 3);
  EXPECT_EQ(contention.of(far.id).gpus_in_use, 2);
  contention.leave(gang.id, changed_);
  EXPECT_EQ(contention.of(beside.id).gpus_in_use, 1);
  EXPECT_EQ(contention.of(far.id).gpus_in_use, 1);
}

TEST_F(ContentionTest, ARetunedAttemptIsWeighedAnew) {
  Contention contention(cluster_, steps_, shared_);
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  contention.enter(a, changed_);
  contention.enter(b, changed_);
  changed_.clear();
  steps_.stated[b.id] = {.busy = 0.25};

  contention.retuned(b.id, changed_);

  // b requests a quarter, so a gets the other three. While a kernel of b runs, a takes half.
  EXPECT_NEAR(contention.of(a.id).device_stretch, 4.0 / 3, 1e-12);
  EXPECT_EQ(contention.of(b.id).device_stretch, 2.0);
  EXPECT_EQ(changed_, std::vector{a.id});
}

TEST_F(ContentionTest, RunTimeJobsWithoutInterferenceAreNotEvenKept) {
  const auto run_time = step_time("duration", small_cluster(1));
  const auto cluster = small_cluster(1);
  Contention contention(cluster, *run_time, none_);
  const auto gang = attempt_on(1, {0, 8});

  contention.enter(gang, changed_);

  EXPECT_EQ(contention.of(gang.id), Surroundings{});
  EXPECT_EQ(contention.co_tenants(gang.id), 0);
  contention.leave(gang.id, changed_);
  EXPECT_TRUE(changed_.empty());
}

}  // namespace
}  // namespace mimus::emulator::test
