// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Fractions of time in rounds (Gavel, OSDI'20), by policies.md §12.3 and policies-2.md, C2 and G2.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/planner/gavel/round_shares.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

constexpr Duration kLeaseRound = std::chrono::seconds{360};

RoundShares::Unit unit(int job) {
  return {JobId{job}, JobId{}};
}

std::vector<RoundShares::Candidate> candidates(int jobs, int types, int gang = 1) {
  std::vector<RoundShares::Candidate> all;
  for (int job = 0; job < jobs; ++job) {
    all.push_back({unit(job), gang, std::vector<bool>(static_cast<std::size_t>(types), true)});
  }
  return all;
}

std::vector<std::pair<int, int>> chosen(const RoundShares& shares, int jobs,
                                        const std::vector<int>& gpus, int gang = 1) {
  std::vector<int> order;
  for (int type = 0; type < static_cast<int>(gpus.size()); ++type) order.push_back(type);
  std::vector<std::pair<int, int>> result;
  const auto all = candidates(jobs, static_cast<int>(gpus.size()), gang);
  for (const auto& choice : shares.choose(all, order, gpus)) {
    result.emplace_back(static_cast<int>(choice.unit.first.value()), choice.type);
  }
  return result;
}

/// Two jobs with a half each of one GPU take turns, the earlier one first.
TEST(RoundShares, JobsTakeTurns) {
  RoundShares shares(1, kLeaseRound);
  shares.add(unit(0));
  shares.add(unit(1));
  shares.renew({{unit(0), {0.5}}, {unit(1), {0.5}}}, 0.0);
  std::vector<int> turns;
  for (int round = 0; round < 6; ++round) {
    const auto now = chosen(shares, 2, {1});
    ASSERT_EQ(now.size(), 1U);
    turns.push_back(now.front().first);
    shares.note(unit(turns.back()), 0, 360.0);
  }
  EXPECT_THAT(turns, ElementsAre(0, 1, 0, 1, 0, 1));
}

/// With 2/3 and 1/3: clocks start at 180 s each, so priorities are 4/3 and 2/3; after a round
/// (540 and 180 of 720 s) 8/9 and 4/3.
TEST(RoundShares, WhoHasALargerFractionRunsMoreOften) {
  RoundShares shares(1, kLeaseRound);
  shares.add(unit(0));
  shares.add(unit(1));
  shares.renew({{unit(0), {2.0 / 3.0}}, {unit(1), {1.0 / 3.0}}}, 0.0);
  int first = 0;
  for (int round = 0; round < 300; ++round) {
    const int job = chosen(shares, 2, {1}).front().first;
    first += job == 0 ? 1 : 0;
    shares.note(unit(job), 0, 360.0);
  }
  EXPECT_NEAR(first, 200, 1);
}

/// It came after fractions were made: it would be last, but the GPU that it would get stays idle.
TEST(RoundShares, ANewJobKeepsAPlaceButDoesNotRun) {
  RoundShares shares(1, kLeaseRound);
  shares.add(unit(0));
  shares.renew({{unit(0), {1.0}}}, 0.0);
  shares.add(unit(1));
  EXPECT_THAT(chosen(shares, 2, {2}), ElementsAre(std::pair(0, 0)));
}

/// Job 1 has all of its time on the second type, but is taken on the first one as long as that has
/// GPUs left.
TEST(RoundShares, NoGpuOfAnEarlierTypeStaysIdle) {
  RoundShares shares(2, kLeaseRound);
  shares.add(unit(0));
  shares.add(unit(1));
  shares.renew({{unit(0), {1.0, 0.0}}, {unit(1), {0.0, 1.0}}}, 0.0);
  EXPECT_THAT(chosen(shares, 2, {2, 2}), ElementsAre(std::pair(0, 0), std::pair(1, 0)));
  EXPECT_THAT(chosen(shares, 2, {1, 2}), ElementsAre(std::pair(0, 0), std::pair(1, 1)));
}

/// Of equal priorities the larger deficit wins: job 1 should have had half of 720 s, too.
TEST(RoundShares, DeficitsOutliveFractions) {
  RoundShares shares(1, kLeaseRound);
  shares.add(unit(0));
  shares.add(unit(1));
  shares.renew({{unit(0), {0.5}}, {unit(1), {0.5}}}, 0.0);
  shares.note(unit(0), 0, 720.0);
  shares.renew({{unit(0), {0.5}}, {unit(1), {0.5}}}, 720.0);
  EXPECT_THAT(chosen(shares, 2, {1}), ElementsAre(std::pair(1, 0)));
}

TEST(RoundShares, GangsThatDoNotFitArePassed) {
  RoundShares shares(1, kLeaseRound);
  shares.add(unit(0));
  shares.renew({{unit(0), {1.0}}}, 0.0);
  EXPECT_TRUE(chosen(shares, 1, {3}, 4).empty());
  EXPECT_EQ(chosen(shares, 1, {4}, 4).size(), 1U);
}

/// One node of two V100, one of two K80.
ClusterShape two_types() {
  NodeGroup fast{.nodes = 1, .gpus_per_node = 2, .gpus_per_island = 2, .gpu_type = "V100"};
  NodeGroup slow = fast;
  slow.gpu_type = "K80";
  return ClusterShape::of_groups({fast, slow}, 2);
}

JobView rated(int id, double on_v100, double on_k80, int gang = 1) {
  JobView view = estimated(id, gang, 0.0, 10'000.0);
  view.rates = {{"V100", on_v100}, {"K80", on_k80}};
  return view;
}

std::map<int, std::vector<int>> first_places(const std::string& row,
                                             const std::vector<JobView>& jobs) {
  auto made = policy(row);
  ClusterShape shape = two_types();
  shape.lanes_per_gpu = made.max_tenants();
  Scheduler scheduler(shape, std::move(made));
  std::vector<Event> events;
  for (const JobView& view : jobs) events.emplace_back(JobArrived{view});
  std::map<int, std::vector<int>> gpus;
  const Decision decision = scheduler.on_events(events, at(0));
  EXPECT_EQ(decision.refused_plan, "");
  for (const StartAttempt& start : actions_of<StartAttempt>(decision)) {
    gpus[static_cast<int>(start.job.value())] = gpus_of(start.allocation);
  }
  return gpus;
}

/// Two jobs gain nothing by V100s, two a lot. Those who gain have all of the V100s' time.
TEST(Gavel, FastGpusGoToThoseWhoGain) {
  const auto gpus = first_places("{planner: {name: gavel}}", {rated(0, 1, 1), rated(1, 1, 1),
                                                              rated(2, 10, 1), rated(3, 10, 1)});
  ASSERT_EQ(gpus.size(), 4U);
  for (const int fast : {2, 3}) EXPECT_LT(gpus.at(fast).front(), 2) << fast;
  for (const int slow : {0, 1}) EXPECT_GE(gpus.at(slow).front(), 2) << slow;
}

TEST(Gavel, EveryObjectiveStartsWhatFits) {
  for (const char* objective :
       {"max_min", "makespan", "ftf", "max_sum", "allox", "equal", "fifo"}) {
    for (const char* rates : {"by_type", "none"}) {
      const auto row =
          fmt::format("{{planner: {{name: gavel, objective: {}, rates: {}}}}}", objective, rates);
      const auto gpus = first_places(row, {rated(0, 4, 1), rated(1, 4, 1), rated(2, 1, 1)});
      EXPECT_EQ(gpus.size(), 3U) << row;
    }
  }
}

/// Four jobs of one kind and two V100s, on which two together make 1.8 times as much as one.
TEST(Gavel, PairsShareGpus) {
  const auto pairs = std::make_shared<const PairRates>(
      PairRates{{{"resnet", "resnet"}, {{"V100", 9.0}}}, {{"resnet", "other"}, {{"V100", 9.0}}}});
  std::vector<JobView> jobs;
  for (int id = 0; id < 4; ++id) {
    jobs.push_back(rated(id, 10, 0));
    jobs.back().kind = "resnet";
    jobs.back().pair_rates = pairs;
  }
  for (const char* objective : {"max_min", "makespan", "ftf", "max_sum"}) {
    const auto row =
        fmt::format("{{planner: {{name: gavel, objective: {}, residents: 2}}}}", objective);
    const auto gpus = first_places(row, jobs);
    ASSERT_EQ(gpus.size(), 4U) << objective;
    std::map<int, int> tenants;
    for (const auto& [job, of_job] : gpus) ++tenants[of_job.front()];
    EXPECT_EQ(tenants, (std::map<int, int>{{0, 2}, {1, 2}})) << objective;
  }
  EXPECT_EQ(first_places("{planner: {name: gavel}}", jobs).size(), 2U);
}

/// Together they would make less than one after the other.
TEST(Gavel, PairsThatLoseAreNotMade) {
  const auto pairs =
      std::make_shared<const PairRates>(PairRates{{{"bert", "bert"}, {{"V100", 4.9}}}});
  std::vector<JobView> jobs;
  for (int id = 0; id < 4; ++id) {
    jobs.push_back(rated(id, 10, 0));
    jobs.back().kind = "bert";
    jobs.back().pair_rates = pairs;
  }
  EXPECT_EQ(first_places("{planner: {name: gavel, residents: 2}}", jobs).size(), 2U);
}

/// A gang of two has one type, the large ones first.
TEST(Gavel, GangsStayOnOneType) {
  const auto gpus =
      first_places("{planner: {name: gavel}}", {rated(0, 4, 1, 2), rated(1, 4, 3, 2)});
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus.at(0).front() / 2, gpus.at(0).back() / 2);
  EXPECT_EQ(gpus.at(1).front() / 2, gpus.at(1).back() / 2);
}

/// As the artifact of Shockwave lines it up.
TEST(Gavel, ALineOfAlloXTakesAGangForOneGpu) {
  const auto gpus = first_places("{planner: {name: gavel, objective: allox}}", {rated(0, 4, 1, 2)});
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_EQ(gpus.at(0).size(), 2U);
}

}  // namespace
}  // namespace mimus::scheduler::test
