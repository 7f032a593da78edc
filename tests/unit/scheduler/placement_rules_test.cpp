// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/best_fit.hpp"
#include "scheduler/placement/counting.hpp"
#include "scheduler/placement/even_split.hpp"
#include "scheduler/placement/first_fit.hpp"
#include "scheduler/placement/locality/consolidated.hpp"
#include "scheduler/placement/locality/skew.hpp"
#include "scheduler/placement/most_free.hpp"
#include "scheduler/placement/random_nodes.hpp"
#include "scheduler/sharing/exclusive.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Nodes of 4 GPUs with the given numbers of free GPUs, taken from the highest-numbered GPU down.
std::vector<int> place(const Placement& placement, const std::vector<int>& free_by_node, int gang,
                       int level = 0) {
  const JobKind anybody;
  Cluster cluster(shape(static_cast<int>(free_by_node.size()), 4));
  int holder = 1000;
  for (std::size_t node = 0; node < free_by_node.size(); ++node) {
    for (int i = 0; i < 4 - free_by_node[node]; ++i, ++holder) {
      const int gpu = static_cast<int>(node) * 4 + i;
      cluster.allocate(JobId{holder}, AttemptId{holder}, slots(cluster, {gpu}), Bytes{}, &anybody);
    }
  }
  const Exclusive sharing;
  const auto found =
      Fit(cluster, sharing, placement).find({.gang = gang, .level = level, .kind = &anybody});
  return found ? gpus_of(*found) : std::vector<int>{};
}

TEST(CountingPlacement, TakesTheLowestNodesWhateverTheirNumber) {
  EXPECT_THAT(place(Counting(), {1, 0, 2, 4}, 4), ElementsAre(3, 10, 11, 12));
  EXPECT_THAT(place(Counting(), {1, 0, 2, 4}, 8), IsEmpty());
}

TEST(FirstFitPlacement, TakesTheFirstNodeThatHoldsTheGang) {
  EXPECT_THAT(place(FirstFit(), {1, 2, 4, 2}, 2), ElementsAre(6, 7));
  EXPECT_THAT(place(FirstFit(), {1, 2, 4, 2}, 3), ElementsAre(8, 9, 10));
}

TEST(FirstFitPlacement, TakesTheFirstFreeGpusWhenNoNodeHoldsTheGang) {
  EXPECT_THAT(place(FirstFit(), {1, 2, 3, 4}, 5), ElementsAre(3, 6, 7, 9, 10));
}

// A gang of 4 fits into the last node. A skew up to the limit lets it use the fullest nodes.
TEST(SkewPlacement, ConsolidatesModelsWithOneLargeTensorAndThoseItDoesNotKnow) {
  const Skew skew({.limit = 0.3});
  const auto placed = [&](double tensor_skew) {
    JobView view = job(0);
    view.model.tensor_skew = tensor_skew;
    return place(skew, {1, 2, 2, 4}, 4, skew.level(view, at(0)));
  };
  const std::vector<int> one_node{12, 13, 14, 15};
  const std::vector<int> fullest{3, 6, 7, 10};

  EXPECT_EQ(placed(0.77), one_node);  // VGG-11
  EXPECT_EQ(placed(0.0), one_node);
  EXPECT_EQ(placed(0.11), fullest);  // ResNet-50
  EXPECT_EQ(placed(0.3), fullest);
}

TEST(BestFitPlacement, FillsTheFullestNodesFirst) {
  EXPECT_THAT(place(BestFit(), {4, 2, 1, 3}, 1), ElementsAre(11));
  EXPECT_THAT(place(BestFit(), {4, 2, 1, 3}, 4), ElementsAre(6, 7, 11, 13));
  EXPECT_THAT(place(BestFit(), {4, 2, 1, 3}, 11), IsEmpty());
}

TEST(MostFreePlacement, TakesTheEmptiestNodesWhole) {
  EXPECT_THAT(place(MostFree(), {2, 3, 4, 3}, 2), ElementsAre(8, 9));
  EXPECT_THAT(place(MostFree(), {2, 3, 4, 3}, 8), ElementsAre(8, 9, 10, 11, 5, 6, 7, 13));
  EXPECT_THAT(place(MostFree(), {2, 3, 4, 3}, 13), IsEmpty());
}

TEST(EvenSplitPlacement, GivesTheFewestNodesEqualShares) {
  EXPECT_THAT(place(EvenSplit(), {2, 3, 4, 3}, 4), ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(place(EvenSplit(), {2, 3, 4, 3}, 6), ElementsAre(5, 6, 7, 8, 9, 10));
  EXPECT_THAT(place(EvenSplit(), {2, 3, 4, 3}, 13), IsEmpty());
}

// Shares are as equal as the free GPUs allow: 1 and 4 of 5.
TEST(EvenSplitPlacement, TakesWhatANodeHas) {
  EXPECT_THAT(place(EvenSplit(), {1, 0, 4, 0}, 5), ElementsAre(3, 8, 9, 10, 11));
}

TEST(ConsolidatedPlacement, WaitsForOneNodeWhenTheGangFitsIntoOne) {
  EXPECT_THAT(place(Consolidated(), {4, 2, 1, 3}, 2), ElementsAre(6, 7));
  EXPECT_THAT(place(Consolidated(), {2, 2, 2, 2}, 3), IsEmpty());
}

// 8 GPUs need two empty nodes; eight free GPUs elsewhere do not suffice.
TEST(ConsolidatedPlacement, WaitsForEmptyNodesForWholeNodes) {
  EXPECT_THAT(place(Consolidated(), {3, 4, 3, 4}, 8), ElementsAre(4, 5, 6, 7, 12, 13, 14, 15));
  EXPECT_THAT(place(Consolidated(), {3, 4, 3, 3}, 8), IsEmpty());
}

TEST(ConsolidatedPlacement, PutsTheRestOnOneMoreNode) {
  EXPECT_THAT(place(Consolidated(), {4, 1, 3, 2}, 6), ElementsAre(0, 1, 2, 3, 9, 10));
  EXPECT_THAT(place(Consolidated(), {4, 1, 1, 4}, 6), ElementsAre(0, 1, 2, 3, 12, 13));
  EXPECT_THAT(place(Consolidated(), {4, 1, 1, 1}, 6), IsEmpty());
}

// A choice that claims to count must place every gang that fits by its number. Any other choice
// must refuse a gang on some cluster that has enough GPUs.
TEST(Placement, CountsOnlyWhenNumbersDecide) {
  const std::vector<std::vector<int>> clusters{{1, 0, 2, 4}, {1, 1, 1, 1}, {3, 3, 3, 3}, {4, 2}};
  const auto choices = placement_choices({});
  for (const auto& choice : choices.choices()) {
    const auto placement = choices.make(ConfigNode::text(choice.name), "placement");
    bool by_number = true;
    for (const auto& free : clusters) {
      const int total = std::accumulate(free.begin(), free.end(), 0);
      for (int gang = 1; gang <= total; ++gang) {
        by_number =
            by_number && place(*placement, free, gang).size() == static_cast<std::size_t>(gang);
      }
      EXPECT_THAT(place(*placement, free, total + 1), IsEmpty()) << choice.name;
    }

    EXPECT_EQ(placement->counts_only(), by_number) << choice.name;
  }
}

TEST(RandomPlacement, IsAFunctionOfTheSeedAndOfWhatIsFree) {
  const auto one = place(RandomNodes(1), {4, 2, 1, 3}, 3);

  EXPECT_EQ(place(RandomNodes(1), {4, 2, 1, 3}, 3), one);
  std::set<std::vector<int>> draws;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    draws.insert(place(RandomNodes(seed), {4, 2, 1, 3}, 3));
  }
  EXPECT_GT(draws.size(), 5U);
}

// Four nodes with 4, 2, 1 and 3 free GPUs: a single GPU is drawn from them in these proportions.
TEST(RandomPlacement, DrawsAllFreeGpusAlike) {
  std::vector<int> hits(4, 0);
  constexpr int kDraws = 4000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto gpus = place(RandomNodes(seed), {4, 2, 1, 3}, 1);
    ++hits[static_cast<std::size_t>(gpus.at(0) / 4)];
  }

  // Standard deviations are at most sqrt(4000 · 0.25) = 32; 5 of them are 160.
  EXPECT_NEAR(hits[0], 1600, 160);
  EXPECT_NEAR(hits[1], 800, 160);
  EXPECT_NEAR(hits[2], 400, 160);
  EXPECT_NEAR(hits[3], 1200, 160);
}

// The second GPU of a pair is on the first one's node with probability 3/15 = 20 %: 40 of 200
// pairs, with a standard deviation of sqrt(200 · 0.2 · 0.8) = 5.7. Four of these are 22.6.
TEST(RandomPlacement, DrawsAnewForEveryStartOnTheSameFreeGpus) {
  Scheduler scheduler(shape(4, 4), policy("placement: random"));
  std::set<int> used;
  int same_node = 0;
  for (int id = 0; id < 200; ++id) {
    const Decision start = scheduler.on_event(JobArrived{job(id, 2, id)}, at(id));
    const auto gpus = gpus_of(actions_of<StartAttempt>(start).at(0).allocation);
    used.insert(gpus.begin(), gpus.end());
    if (gpus.at(0) / 4 == gpus.at(1) / 4) ++same_node;
    (void)scheduler.on_event(AttemptEnded{AttemptId{id}, EndReason::finished, "", 0}, at(id + 0.5));
  }

  EXPECT_EQ(used.size(), 16U);
  EXPECT_NEAR(same_node, 40, 22);
}

TEST(RandomPlacement, DrawsAnewWhenAJobStartsAgain) {
  Scheduler scheduler(shape(4, 4), policy("placement: random"));
  std::set<int> used;
  Decision start = scheduler.on_event(JobArrived{job(0)}, at(0));
  for (int attempt = 0; attempt < 200; ++attempt) {
    used.insert(gpus_of(actions_of<StartAttempt>(start).at(0).allocation).at(0));
    start = scheduler.on_event(AttemptEnded{AttemptId{attempt}, EndReason::preempted, "", 0},
                               at(attempt + 1));
  }

  EXPECT_EQ(used.size(), 16U);
}

TEST(RandomPlacement, TakesAllWhenAllAreNeeded) {
  EXPECT_THAT(place(RandomNodes(3), {1, 2, 0, 1}, 4), ElementsAre(3, 6, 7, 15));
  EXPECT_THAT(place(RandomNodes(3), {1, 2, 0, 1}, 5), IsEmpty());
}

}  // namespace
}  // namespace mimus::scheduler::test
