// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/pack.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Speeds beside a similar job, min(1, 1 / 2u): 1, 0.5 / 0.55 = 0.91 and 0.5 / 0.9 = 0.56.
Scores::Settings settings(int capacity = 2) {
  return {.utilisation = {{"tiny", 0.3}, {"medium", 0.55}, {"jumbo", 0.9}}, .capacity = capacity};
}

/// Nodes of two 16 GB GPUs with two lanes, and jobs placed on them.
class ScoresTest : public ::testing::Test {
 protected:
  ScoresTest() : cluster_(shape(2, 2, 2)), kinds_({.gang = true, .model = true}) {}

  const JobKind* kind(const std::string& model, int gpus) {
    JobView view;
    view.model.name = model;
    return kinds_.of(view, gpus);
  }
  void put(const std::string& model, const std::vector<int>& gpus, double memory = 1e9) {
    const std::int64_t id = next_++;
    cluster_.allocate(JobId{id}, AttemptId{id}, slots(cluster_, gpus), Bytes{memory},
                      kind(model, static_cast<int>(gpus.size())));
  }
  std::vector<int> place(const std::string& model, int gang, Scores::Settings given = settings(),
                         double memory = 1e9) {
    const Scores sharing(std::move(given));
    const Pack pack;
    const Fit fit(cluster_, sharing, pack);
    const auto found =
        fit.find({.gang = gang, .memory = Bytes{memory}, .level = 0, .kind = kind(model, gang)});
    return found ? gpus_of(*found) : std::vector<int>{};
  }

  Cluster cluster_;
  JobKinds kinds_;
  std::int64_t next_ = 90;
};

TEST_F(ScoresTest, FollowFromTheSpeedBesideAJobThatIsAlike) {
  const Scores sharing(settings());
  EXPECT_EQ(sharing.score("tiny"), 0);
  EXPECT_EQ(sharing.score("medium"), 1);
  EXPECT_EQ(sharing.score("jumbo"), 2);
  EXPECT_EQ(sharing.score("not named"), 2);
  // tiny ends at 1 / (2 × 0.95) = 0.5263, and medium at 1 / (2 × 0.85) = 0.5882.
  const Scores edges({.utilisation = {{"a", 0.526}, {"b", 0.527}, {"c", 0.588}, {"d", 0.589}}});
  EXPECT_EQ(edges.score("a"), 0);
  EXPECT_EQ(edges.score("b"), 1);
  EXPECT_EQ(edges.score("c"), 1);
  EXPECT_EQ(edges.score("d"), 2);
}

TEST_F(ScoresTest, PairOnlyWhoseSumIsWithinTheCapacity) {
  put("medium", {0});
  put("jumbo", {1});
  put("jumbo", {2, 3});

  EXPECT_THAT(place("medium", 1), ElementsAre(0));          // (1, 1)
  EXPECT_THAT(place("jumbo", 1), IsEmpty());                // (1, 2) and (2, 2)
  EXPECT_THAT(place("tiny", 2), ElementsAre(2, 3));         // (0, 2)
  EXPECT_THAT(place("medium", 1, settings(1)), IsEmpty());  // 2 > 1
  EXPECT_THAT(place("tiny", 1, settings(0)), IsEmpty());    // (0, 1) and (0, 2)
}

TEST_F(ScoresTest, NeverPairJobsOnOtherNumbersOfGpus) {
  put("tiny", {0, 1});
  put("tiny", {2});
  put("tiny", {3});

  EXPECT_THAT(place("tiny", 1), ElementsAre(2));
  EXPECT_THAT(place("tiny", 2), ElementsAre(0, 1));
  put("tiny", {0, 1});
  EXPECT_THAT(place("tiny", 2), IsEmpty());  // GPUs 2 and 3 belong to two jobs
}

TEST_F(ScoresTest, NeverPackWhileGpusAreFree) {
  put("tiny", {0});
  put("tiny", {1});
  put("tiny", {2});

  EXPECT_THAT(place("tiny", 1), ElementsAre(3));
  put("tiny", {3});
  EXPECT_THAT(place("tiny", 1), ElementsAre(0));
}

TEST_F(ScoresTest, PairOnOneNodeAndTwoOnAGpuAtMost) {
  put("tiny", {1, 2});
  put("jumbo", {0});
  put("jumbo", {3});

  EXPECT_THAT(place("tiny", 2), IsEmpty());  // the only gang of two is on both nodes
  EXPECT_THAT(place("tiny", 1), ElementsAre(0));
  put("tiny", {0});
  EXPECT_THAT(place("tiny", 1), ElementsAre(3));
  put("tiny", {3});
  EXPECT_THAT(place("tiny", 1), IsEmpty());
}

TEST_F(ScoresTest, TakeThePartnerWithTheLowestScoreAndRoomInItsMemory) {
  put("jumbo", {0});
  put("medium", {1});
  put("tiny", {2}, 12e9);
  put("jumbo", {3});

  EXPECT_THAT(place("tiny", 1), ElementsAre(2));
  EXPECT_THAT(place("tiny", 1, settings(), 5e9), ElementsAre(1));  // 12 + 5 > 16 GB
  EXPECT_THAT(place("tiny", 1, settings(1), 5e9), ElementsAre(1));
}

}  // namespace
}  // namespace mimus::scheduler::test
