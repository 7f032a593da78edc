// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kTwice =
    "recovery: {name: retry, retries: 100, quarantine: {after: 2, within: 100 s, for: 500 s, "
    "counts: transient}}";

std::vector<std::string> quarantined(const Decision& decision) {
  std::vector<std::string> texts;
  for (const auto& [node, begins] : decision.quarantine) {
    texts.push_back(fmt::format("node {} {}", node.value(), begins ? "out" : "back"));
  }
  return texts;
}

AttemptEnded fails(int attempt, const char* why = "MPI error") {
  return {AttemptId{attempt}, EndReason::failed, why, 0.0};
}

/// Nodes that the starts of a decision are on.
std::vector<int> starts_on(const Decision& decision) {
  std::vector<int> nodes;
  for (const auto& start : actions_of<StartAttempt>(decision)) {
    nodes.push_back(static_cast<int>(start.allocation.slots.front().gpu.value()));
  }
  return nodes;
}

TEST(Quarantine, TakesANodeOutAfterSoManyFailuresAndGivesItBack) {
  Scheduler scheduler(shape(2, 1), policy(kTwice));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));

  const Decision once = scheduler.on_event(fails(0), at(10));
  const Decision twice = scheduler.on_event(fails(1), at(20));
  const Decision second_job = scheduler.on_event(JobArrived{job(1)}, at(30));
  const Decision back = scheduler.on_event(Timer{}, at(520));

  EXPECT_THAT(quarantined(once), IsEmpty());
  EXPECT_THAT(starts_on(once), ElementsAre(0));
  EXPECT_THAT(quarantined(twice), ElementsAre("node 0 out"));
  EXPECT_THAT(starts_on(twice), ElementsAre(1));
  EXPECT_EQ(twice.wake_up, at(520));
  EXPECT_THAT(starts_on(second_job), IsEmpty());
  EXPECT_THAT(quarantined(back), ElementsAre("node 0 back"));
  EXPECT_THAT(starts_on(back), ElementsAre(0));
}

TEST(Quarantine, FailuresThatAreTooFarApartDoNotCount) {
  Scheduler scheduler(shape(2, 1), policy(kTwice));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(fails(0), at(10));
  EXPECT_THAT(quarantined(scheduler.on_event(fails(1), at(111))), IsEmpty());
  EXPECT_THAT(quarantined(scheduler.on_event(fails(2), at(211))), ElementsAre("node 0 out"));
}

TEST(Quarantine, CountsOnlyWhatNamesTheNodeUnlessItIsToldOtherwise) {
  Scheduler scheduler(shape(2, 1),
                      policy("recovery: {name: retry, retries: 9, quarantine: {after: 1}}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  EXPECT_THAT(quarantined(scheduler.on_event(fails(0), at(1))), IsEmpty());
  AttemptEnded named = fails(1);
  named.node = NodeId{0};
  EXPECT_THAT(quarantined(scheduler.on_event(std::move(named), at(2))), ElementsAre("node 0 out"));
}

TEST(Quarantine, AnErrorOfAUserIsNotTheNodes) {
  Scheduler scheduler(shape(2, 1), policy(kTwice));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  for (int attempt = 0; attempt < 5; ++attempt) {
    const Decision decision = scheduler.on_event(fails(attempt, "syntax error"), at(attempt + 1));
    EXPECT_THAT(quarantined(decision), IsEmpty());
  }
}

TEST(Quarantine, BlamesTheNodeThatIsNamedAndElseTheWholeGang) {
  Scheduler scheduler(shape(3, 1), policy(kTwice));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  AttemptEnded first = fails(0, "GPU ECC error");
  first.node = NodeId{1};
  (void)scheduler.on_event(std::move(first), at(10));

  const Decision again = scheduler.on_event(fails(1), at(20));

  EXPECT_THAT(quarantined(again), ElementsAre("node 1 out"));  // node 0 has failed once
  EXPECT_EQ(actions_of<StartAttempt>(again).at(0).allocation.slots.at(1).gpu, GpuId{2});
}

TEST(Quarantine, WhatFailsAtOneInstantCountsOnceAndWhatRunsGoesOn) {
  Scheduler scheduler(shape(1, 3), policy(kTwice));
  for (int k = 0; k < 3; ++k) (void)scheduler.on_event(JobArrived{job(k)}, at(0));
  const auto down = [](int attempt) {
    return AttemptEnded{AttemptId{attempt}, EndReason::node_down, "", 0.0, NodeId{0}};
  };
  const std::vector<Event> both{down(0), down(1)};
  EXPECT_THAT(quarantined(scheduler.on_events(both, at(10))), IsEmpty());

  const Decision out = scheduler.on_event(fails(3), at(20));

  EXPECT_THAT(quarantined(out), ElementsAre("node 0 out"));
  EXPECT_THAT(out.actions, IsEmpty());
  EXPECT_EQ(scheduler.job(JobId{2}).state, JobState::starting);
}

TEST(Quarantine, IsOffUnlessItIsAskedFor) {
  Scheduler scheduler(shape(2, 1), policy("recovery: {name: retry, retries: 9}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  for (int attempt = 0; attempt < 9; ++attempt) {
    EXPECT_THAT(starts_on(scheduler.on_event(fails(attempt), at(attempt + 1))), ElementsAre(0));
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
