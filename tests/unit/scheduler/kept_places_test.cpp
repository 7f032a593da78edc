// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two nodes of 4 GPUs and rounds of 60 s. The shortest estimate comes first, and a gang of up to 4
/// waits for one node.
class StrictRounds {
 public:
  explicit StrictRounds(const std::string& order = "sjf")
      : scheduler_(shape(2, 4),
                   policy("{placement: strict, planner: {name: ranked, round: 60 s, order: " +
                          order + "}}")) {}

  Decision arrive(int id, int gang, double estimate, double now) {
    JobView view = job(id, gang, now);
    view.user_estimate = seconds(estimate);
    return scheduler_.on_event(JobArrived{view}, at(now));
  }
  Decision round(double now) { return scheduler_.on_event(Timer{}, at(now)); }
  Decision end(int job, EndReason reason, double now) {
    return scheduler_.on_event(AttemptEnded{attempt_of(job), reason, "", 0}, at(now));
  }
  [[nodiscard]] AttemptId attempt_of(int job) const { return scheduler_.job(JobId{job}).attempt; }
  [[nodiscard]] std::vector<int> gpus_held_by(int job) const {
    return gpus_of(scheduler_.job(JobId{job}).allocation);
  }

  /// Jobs 0 and 1 with 3 GPUs, and jobs 2 and 3 with one GPU and longer estimates, fill both nodes.
  void fill() {
    for (const int id : {0, 1}) (void)arrive(id, 3, 10 * (id + 1), 0.5);
    for (const int id : {2, 3}) (void)arrive(id, 1, 100 * id, 0.5);
    (void)round(60);
  }

 private:
  Scheduler scheduler_;
};

// By numbers, 3 + 3 + 2 GPUs would be possible, and jobs 2 and 3 would be stopped. But they hold
// one GPU of each node.
TEST(KeptPlaces, StopsNobodyForAGangThatFindsNoPlace) {
  StrictRounds rounds;
  rounds.fill();
  (void)rounds.arrive(4, 2, 50, 70);

  EXPECT_THAT(rounds.round(120).actions, IsEmpty());
  EXPECT_THAT(rounds.gpus_held_by(2), ElementsAre(3));
  EXPECT_THAT(rounds.gpus_held_by(3), ElementsAre(7));
}

// Job 4 comes first. Job 1 is the worst-ranked job without which it finds a node.
TEST(KeptPlaces, StopsTheWorstRankedInTheWay) {
  StrictRounds rounds;
  rounds.fill();
  (void)rounds.arrive(4, 2, 5, 70);
  const AttemptId in_the_way = rounds.attempt_of(1);

  const auto stops = actions_of<StopAttempt>(rounds.round(120));
  const auto starts = actions_of<StartAttempt>(rounds.end(1, EndReason::preempted, 121));

  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].attempt, in_the_way);
  EXPECT_EQ(stops[0].reason, "yields to other jobs");
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].job, JobId{4});
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(4, 5));
}

// Node 0 has job 1 on one GPU, and node 1 has job 2 on two. Job 3 needs a whole node and comes
// first. Job 2 ranks last, frees node 1 and continues beside job 1.
TEST(KeptPlaces, MovesARunningJobThatFindsAnotherPlace) {
  StrictRounds rounds;
  (void)rounds.arrive(0, 3, 1, 0.5);
  (void)rounds.arrive(2, 2, 900, 0.5);
  (void)rounds.round(60);
  (void)rounds.arrive(1, 1, 100, 70);
  (void)rounds.round(120);
  (void)rounds.end(0, EndReason::finished, 130);
  (void)rounds.arrive(3, 4, 50, 140);

  const auto stops = actions_of<StopAttempt>(rounds.round(180));
  const auto starts = actions_of<StartAttempt>(rounds.end(2, EndReason::preempted, 181));

  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].reason, "moves to other GPUs");
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(starts[0].job, JobId{3});
  EXPECT_THAT(rounds.gpus_held_by(3), ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(starts[1].job, JobId{2});
  EXPECT_THAT(rounds.gpus_held_by(2), ElementsAre(0, 1));
  EXPECT_THAT(rounds.gpus_held_by(1), ElementsAre(3));
}

// Of 8 GPUs with 3 in use on each node, a pair finds no place. A single GPU does, unless the order
// blocks.
TEST(KeptPlaces, HandsTheGpusToTheNextInRank) {
  for (const bool blocks : {false, true}) {
    StrictRounds rounds(blocks ? "{name: sjf, skip: false}" : "sjf");
    for (const int id : {0, 1}) (void)rounds.arrive(id, 3, 10 * (id + 1), 0.5);
    (void)rounds.round(60);
    (void)rounds.arrive(2, 2, 50, 70);
    (void)rounds.arrive(3, 1, 60, 70);

    const auto starts = actions_of<StartAttempt>(rounds.round(120));

    ASSERT_EQ(starts.size(), blocks ? 0U : 1U);
    EXPECT_TRUE(blocks || starts[0].job == JobId{3});
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
