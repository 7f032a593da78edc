// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/sia/sia.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "planned.hpp"

// The worked case is policies-2.md, F: brute force and HiGHS agree on it.

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr int kTypeX = 0;
constexpr int kTypeY = 1;

/// Believes goodputs by job, type and number of GPUs, whatever the batch.
class KnownGoodputs final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "known"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation&,
                                                 const BatchPlan&) const override {
    return std::nullopt;
  }
  [[nodiscard]] StepRate rate_on(const JobView& job, GpuSpread spread) const override {
    const auto found = of.find({job.id, spread.type, spread.gpus});
    if (found == of.end()) return {};
    return [rate = found->second](const BatchPlan&) { return rate; };
  }
  [[nodiscard]] int most_gpus(const JobView& job, int type) const override {
    const auto found = most.find({job.id, type});
    return found == most.end() ? std::numeric_limits<int>::max() : found->second;
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::numeric_limits<double>::infinity();
  }

  std::map<std::tuple<JobId, int, int>, double> of;
  std::map<std::pair<JobId, int>, int> most;
};

/// A node of four X and two of two Y, at second 600.
struct SiaOnTwoTypes : ::testing::Test {
  JobView& add(const std::vector<double>& on_x = {}, const std::vector<double>& on_y = {}) {
    const JobId id{static_cast<std::int64_t>(views.size())};
    views.push_back(std::make_unique<JobView>(job(static_cast<int>(views.size()))));
    views.back()->model.per_gpu_batch_min = 1;
    int gpus = 1;
    for (const double goodput : on_x)
      known.of[{id, kTypeX, std::exchange(gpus, 2 * gpus)}] = goodput;
    gpus = 1;
    for (const double goodput : on_y)
      known.of[{id, kTypeY, std::exchange(gpus, 2 * gpus)}] = goodput;
    return *views.back();
  }
  void add_worked_case() {
    add({100, 180, 300}, {40, 76, 130});
    add({60, 100, 150}, {50, 90, 160});
  }
  void run(JobView& job, const std::vector<int>& gpus, int restarts = 0) const {
    job.allocation = slots(cluster, gpus);
    job.attempt = AttemptId{job.id.value()};
    job.attempts = 1 + restarts;
    job.state = JobState::running;
  }
  PlanQuery query() {
    jobs.clear();
    for (const auto& view : views) jobs.push_back({view.get(), 0});
    return {at(600), jobs, cluster, *admission, known, placer};
  }
  /// "X4" is four GPUs of type X.
  std::map<int, std::string> planned(Sia&& sia = Sia({})) {
    std::map<int, std::string> all;
    for (const Target& target : sia.plan(query()).targets) {
      const auto& place = std::get<Allocation>(target.gpus);
      const bool on_x = place.slots.front().gpu.value() < 4;
      all[static_cast<int>(target.job.value())] =
          (on_x ? "X" : "Y") + std::to_string(place.slots.size());
    }
    return all;
  }
  std::vector<std::int64_t> costs(int job, double restart, double power = -0.5) {
    const PlanQuery asked = query();
    const JobView& view = *views[static_cast<std::size_t>(job)];
    return costs_of(OptionsOfJobs(asked, 64)(asked.jobs[static_cast<std::size_t>(job)]),
                    view.fewest_gpus(), restart, power);
  }

  Cluster cluster{ClusterShape::of_groups({{.nodes = 1, .gpus_per_node = 4, .gpu_type = "X"},
                                           {.nodes = 2, .gpus_per_node = 2, .gpu_type = "Y"}},
                                          3)};
  Counter placer{8, false};
  std::unique_ptr<Admission> admission = std::make_unique<AcceptAll>();
  KnownGoodputs known;
  std::vector<std::unique_ptr<JobView>> views;
  std::vector<PlanJob> jobs;
};

TEST_F(SiaOnTwoTypes, DividesRowsByTheirWorstConfiguration) {
  add_worked_case();
  EXPECT_THAT(costs(0, 1.0, 1.0), ElementsAre(250, 450, 750, 100, 190, 325));
  EXPECT_THAT(costs(1, 1.0, 1.0), ElementsAre(120, 200, 300, 100, 180, 320));
  EXPECT_THAT(costs(0, 1.0), ElementsAre(63, 47, 37, 100, 73, 55));
  EXPECT_THAT(costs(1, 1.0), ElementsAre(91, 71, 58, 100, 75, 56));
}

TEST_F(SiaOnTwoTypes, KeepsToTheRangesOfGangs) {
  add_worked_case();
  views[0]->gang_max = 2;
  views[1]->gang_min = 3;
  known.most[{views[1]->id, kTypeY}] = 2;  // that it has yet to try
  known.of[{views[1]->id, kTypeX, 3}] = 120;
  const PlanQuery asked = query();
  OptionsOfJobs options_of(asked, 64);
  const auto sizes = [&](std::size_t job) {
    std::vector<int> gpus;
    for (const JobOption& option : options_of(asked.jobs[job])) gpus.push_back(option.what.gpus);
    return gpus;
  };

  EXPECT_THAT(sizes(0), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(sizes(1), ElementsAre(4, 3, 3));
}

// 37 + 56 = 93 is the least sum: 47 + 56 and 37 + 75 are more, X4 and Y4 are all there is.
TEST_F(SiaOnTwoTypes, ChoosesTheLeastCost) {
  add_worked_case();
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X4"), Pair(1, "Y4")));
}

// After one restart r = (600 − 30) ÷ 630 = 0.9048 for all but Y1, and the sum is 38 + 56.
TEST_F(SiaOnTwoTypes, CountsAJobForLessWhereItWouldRestart) {
  add_worked_case();
  run(*views[0], {4}, 1);
  EXPECT_THAT(costs(0, 570.0 / 630.0), ElementsAre(66, 50, 38, 100, 76, 58));
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X4"), Pair(1, "Y4")));
}

// After three restarts r = (600 − 3·30) ÷ 630 = 0.8095, and the sum is 38 + 62.
TEST_F(SiaOnTwoTypes, CountsAJobForLessTheMoreOftenItHasRestarted) {
  add_worked_case();
  run(*views[0], {4}, 1);
  run(*views[1], {6, 7}, 3);
  EXPECT_THAT(costs(1, 510.0 / 630.0), ElementsAre(101, 79, 64, 111, 75, 62));
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X4"), Pair(1, "Y4")));
}

// Two restarts of 30 s leave r = (600 − 60) ÷ 630, two of 300 s nothing: r = 0, and costs of 3000.
TEST_F(SiaOnTwoTypes, LeavesAJobThatHasRestartedTooOften) {
  add({100, 180, 300}, {40, 76, 130});
  run(*views[0], {6, 7}, 2);
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X4")));
  EXPECT_THAT(planned(Sia({.restart_of = {{"resnet50", seconds(300)}}})),
              ElementsAre(Pair(0, "X4")));
  EXPECT_THAT(planned(Sia({.restart_of = {{"resnet18", seconds(300)}}})),
              ElementsAre(Pair(0, "Y2")));
}

// At an age of 200 s two restarts of 300 s would leave nothing, too.
TEST_F(SiaOnTwoTypes, DoesNotPunishAJobYoungerThanOneRestart) {
  add({100, 180, 300}, {40, 76, 130}).arrival = at(400);
  run(*views[0], {6, 7}, 2);
  EXPECT_THAT(planned(Sia({.restart = seconds(300)})), ElementsAre(Pair(0, "X4")));
}

TEST_F(SiaOnTwoTypes, LeavesAJobThatStartsUp) {
  add_worked_case();
  run(*views[0], {4});
  views[0]->state = JobState::starting;
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "Y1"), Pair(1, "X4")));
}

// Sums are then 7.5 + 3.2 with X4 and Y4, and 3.25 + 3 the other way round.
TEST_F(SiaOnTwoTypes, MaximisesWhereThePowerIsPositive) {
  add_worked_case();
  EXPECT_THAT(planned(Sia({.power = 1.0})), ElementsAre(Pair(0, "X4"), Pair(1, "Y4")));
  // A third job that is worth 3 on X2: 4.5 + 3.2 + 3 is as much, but all three run.
  add({1, 3, 3}, {1, 1, 1});
  EXPECT_THAT(planned(Sia({.power = 1.0})),
              ElementsAre(Pair(0, "X2"), Pair(1, "Y4"), Pair(2, "X2")));
}

// Nothing is believed of job 1 on X, where it counts as 1, like Y1. Of job 0 nothing at all.
TEST_F(SiaOnTwoTypes, GivesOneGpuOfATypeThatItKnowsNothingOf) {
  add();
  add({}, {50, 90, 160});
  EXPECT_THAT(costs(0, 1.0), ElementsAre(100, 100));
  EXPECT_THAT(costs(1, 1.0), ElementsAre(100, 100, 75, 56));
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X1"), Pair(1, "Y4")));
}

TEST_F(SiaOnTwoTypes, KeepsToWhatAJobMayHave) {
  add_worked_case();
  known.most[{JobId{0}, kTypeX}] = 2;
  EXPECT_THAT(costs(0, 1.0), ElementsAre(63, 47, 100, 73, 55));
  views[1]->types = only_type(kTypeX);
  EXPECT_THAT(costs(1, 1.0), ElementsAre(100, 77, 63));
  views[1]->model.total_batch_max = 128;
  views[1]->model.per_gpu_batch_min = 64;
  EXPECT_THAT(costs(1, 1.0), ElementsAre(100, 77));
}

// Three GPUs of X, or three of Y on two nodes; the slower one counts as 3, so that it costs 3^-0.5.
TEST_F(SiaOnTwoTypes, GivesARigidJobItsGang) {
  JobView& rigid = add();
  rigid.rigid = true;
  rigid.requested_gang = rigid.gang = 3;
  known.of[{JobId{0}, kTypeX, 3}] = 200;
  known.of[{JobId{0}, kTypeY, 3}] = 100;
  EXPECT_THAT(costs(0, 1.0), ElementsAre(41, 58));
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X3")));
  add({1, 2, 300});  // costs 6 on X4, 100 elsewhere: 58 + 6 is less than 41 + 100
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "Y3"), Pair(1, "X4")));
}

// Of X2, X4, Y2 and Y4 the third is the worst: it counts as the two GPUs of a replica, 2^-0.5.
TEST_F(SiaOnTwoTypes, GivesSplitModelsWholeReplicas) {
  JobView& split = add({100, 180, 300}, {40, 76, 130});
  split.replica_gpus = 2;
  EXPECT_THAT(costs(0, 1.0), ElementsAre(46, 36, 71, 54));
  known.most[{JobId{0}, kTypeX}] = 1;  // it has not run yet
  EXPECT_THAT(costs(0, 1.0), ElementsAre(46, 71, 54));
  known.of.clear();
  EXPECT_THAT(costs(0, 1.0), ElementsAre(71, 71)) << "one replica on each type";
}

TEST_F(SiaOnTwoTypes, LeavesJobsWhereTheirConfigurationStays) {
  add({100, 180, 300}, {});
  add({100, 180, 300}, {});
  run(*views[0], {2, 3});
  run(*views[1], {0, 1});
  const Plan plan = Sia({}).plan(query());
  ASSERT_EQ(plan.targets.size(), 2U);
  EXPECT_THAT(gpus_of(std::get<Allocation>(plan.targets[0].gpus)), ElementsAre(2, 3));
  EXPECT_THAT(gpus_of(std::get<Allocation>(plan.targets[1].gpus)), ElementsAre(0, 1));
}

TEST_F(SiaOnTwoTypes, KeepsToQuotas) {
  admission = policy("{admission: {name: quota, gpus: {default: 2}}}").admission;
  add_worked_case();
  EXPECT_THAT(costs(0, 1.0), ElementsAre(63, 47, 100, 73));
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X2")));
}

TEST_F(SiaOnTwoTypes, PlansForWhatIsUp) {
  add_worked_case();
  for (const int gpu : {3, 6, 7}) placer.take_down(GpuId{gpu});
  run(*views[0], {3});
  EXPECT_THAT(costs(0, 0.5), ElementsAre(63, 47, 100, 73)) << "it cannot stay";
  EXPECT_THAT(planned(), ElementsAre(Pair(0, "X2"), Pair(1, "Y2")));
}

TEST(Sia, RefusesThePowerZero) {
  EXPECT_THROW((void)policy("{planner: {name: sia, p: 0}}"), ConfigError);
  EXPECT_EQ(policy("sia").label, "sia");
}

}  // namespace
}  // namespace mimus::scheduler::test
