// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asked.hpp"
#include "scheduler/planner/search/search.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<NodeId> kOne{NodeId{0}}, kBoth{NodeId{0}, NodeId{1}};

// The unit is a job's goodput on one GPU. A job that is being stopped has nothing, and one of which
// nothing is believed gains in proportion.
TEST(SearchValue, IsTheSumOfSpeedupsOverOneGpu) {
  Asked asked(2, 4, 600);
  asked.run(asked.add(), {0, 1});
  asked.run(asked.add(), {2, 4});
  asked.run(asked.add(), {5, 6, 7});
  asked.run(asked.add(), {3});
  asked.add();
  asked.estimate.unknown[JobId{2}] = true;
  asked.views[3]->state = JobState::stopping;
  Search search({}, 1);
  const PlanQuery query = asked.query();

  EXPECT_NEAR(search.value_nodes(query)->now(), PowerLaw::speed(1, 2) + PowerLaw::speed(2, 2) + 3.0,
              1e-9);
}

// One job can have all GPUs, and restarts cost nothing after so long. Two jobs share the GPUs of a
// node evenly, where the sum of 1 ÷ speedup is least.
TEST(SearchValue, OfNodesIsThatOfTheBestPlanForThem) {
  Asked asked(2, 4, 1e9);
  asked.add();
  Search search({}, 1);

  EXPECT_NEAR(search.value_nodes(asked.query())->of(kOne), PowerLaw::speed(1, 4), 1e-9);
  EXPECT_NEAR(search.value_nodes(asked.query())->of(kBoth), PowerLaw::speed(2, 8), 1e-9);
  asked.add();
  EXPECT_NEAR(search.value_nodes(asked.query())->of(kOne), 2 * PowerLaw::speed(1, 2), 1e-9);
  EXPECT_NEAR(search.value_nodes(asked.query())->of(kBoth), 2 * PowerLaw::speed(1, 4), 1e-9);
}

// Nodes that sleep are withheld, so that no job could be placed there.
TEST(SearchValue, CountsNodesThatSleepButNotThoseThatAreDown) {
  Asked asked(2, 4, 1e9);
  asked.add();
  for (int gpu = 4; gpu < 8; ++gpu) {
    asked.cluster.withhold(GpuId{gpu});
    asked.placer.take_down(GpuId{gpu});
  }
  Search search({}, 1);

  EXPECT_NEAR(search.value_nodes(asked.query())->of(kBoth), PowerLaw::speed(2, 8), 1e-9);
  asked.cluster.set_node_up(NodeId{1}, false);
  EXPECT_NEAR(search.value_nodes(asked.query())->of(kBoth), PowerLaw::speed(1, 4), 1e-9);
}

TEST(SearchValue, KnowsTheLargestGangThatCannotShrink) {
  Asked asked(2, 4, 600);
  asked.add().requested_gang = 8;
  Search search({}, 1);
  EXPECT_EQ(search.value_nodes(asked.query())->least_gpus(), 1);

  JobView& rigid = asked.add();
  rigid.rigid = true;
  rigid.requested_gang = 6;

  EXPECT_EQ(search.value_nodes(asked.query())->least_gpus(), 6);
}

/// The preset on two nodes of two GPUs, with windows of one round.
class AutoScaling : public ::testing::Test {
 protected:
  void arrive(int id, bool rigid = false) {
    JobView view = job(id);
    view.rigid = rigid;
    (void)scheduler_.on_event(JobArrived{view}, now_);
  }
  /// The next round.
  Decision round() {
    now_ += seconds(60);
    return scheduler_.on_event(Timer{}, now_);
  }
  Decision end(int id, EndReason reason) {
    return scheduler_.on_event(AttemptEnded{scheduler_.job(JobId{id}).attempt, reason, "", 0},
                               now_ += seconds(1));
  }
  [[nodiscard]] std::vector<int> gpus(int id) const {
    return gpus_of(scheduler_.job(JobId{id}).allocation);
  }

 private:
  Instant now_{};
  Scheduler scheduler_{shape(2, 2), policy("{preset: pollux-autoscale, power: {window: 1}}")};
};

std::vector<std::string> changes(const Decision& decision) {
  std::vector<std::string> texts;
  for (const NodePowerChange& change : decision.power) {
    texts.push_back("node " + std::to_string(change.node.value()) + " " + name(change.state));
  }
  return texts;
}

// Jobs are believed to gain in proportion until they have measured: with all GPUs in use the
// utility is 1, and four jobs can use four GPUs.
TEST_F(AutoScaling, AddsANodeWhileGpusAreProductiveAndUsesItInTheSameRound) {
  for (int id = 0; id < 4; ++id) arrive(id);

  const Decision first = round();
  const Decision second = round();

  EXPECT_THAT(actions_of<StartAttempt>(first), SizeIs(2));
  EXPECT_THAT(changes(first), IsEmpty());
  EXPECT_THAT(actions_of<StartAttempt>(second), SizeIs(2));
  EXPECT_THAT(changes(second), ElementsAre("node 1 on"));
}

// Three jobs of one GPU have utility 1 on one node and 0.75 on two; the last of them 0.25 on two
// nodes, and 0.5 on one.
TEST_F(AutoScaling, MovesJobsFromANodeThatIsTakenAway) {
  for (int id = 0; id < 3; ++id) arrive(id, true);
  (void)round();
  ASSERT_THAT(changes(round()), ElementsAre("node 1 on"));
  int last = 0;
  while (gpus(last).at(0) < 2) ++last;
  for (int id = 0; id < 3; ++id) {
    if (id != last) (void)end(id, EndReason::finished);
  }

  (void)round();
  const Decision shrunk = round();
  const Decision left = end(last, EndReason::preempted);

  EXPECT_THAT(actions_of<StopAttempt>(shrunk), SizeIs(1));
  EXPECT_THAT(changes(shrunk), IsEmpty());
  EXPECT_THAT(changes(left), ElementsAre("node 1 asleep"));
  ASSERT_THAT(actions_of<StartAttempt>(left), SizeIs(1));
  EXPECT_LT(gpus(last).at(0), 2);
}

}  // namespace
}  // namespace mimus::scheduler::test
