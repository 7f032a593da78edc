// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "builders.hpp"
#include "driver.hpp"
#include "random_planner.hpp"
#include "scheduler/plan/plan_check.hpp"

namespace mimus::scheduler::test {
namespace {

struct PlannedRun {
  RandomPlanner* planner;
  Driver driver;
};

ClusterShape random_shape(RandomStream& random) {
  ClusterShape s =
      shape(static_cast<int>(1 + random.below(4)), static_cast<int>(2 * (1 + random.below(2))));
  s.gpus_per_island = 2;
  s.nodes_per_rack = static_cast<int>(1 + random.below(2));
  return s;
}

/// Jobs with `work` left under random plans. Everything follows from the seed.
PlannedRun planned_run(std::uint64_t seed, RandomPlanner::Plans plans, Duration work, int jobs) {
  RandomStream random(seed, "planned run");
  const ClusterShape s = random_shape(random);
  Policy row = policy(random.uniform() < 0.5 ? "{planner: ranked, placement: pack}"
                                             : "{planner: ranked, placement: first_fit}");
  auto planner = std::make_unique<RandomPlanner>(seed, plans, random.uniform() < 0.5);
  RandomPlanner* asked = planner.get();
  row.planner = std::move(planner);
  const Driver::Costs costs{.start = seconds(static_cast<double>(random.below(3))),
                            .stop = seconds(static_cast<double>(random.below(3)))};
  PlannedRun run{asked, Driver(s, std::move(row), costs)};
  for (int id = 0; id < jobs; ++id) {
    const double arrival = plans == RandomPlanner::Plans::two ? 0.0 : random.uniform(0.0, 150.0);
    const int gang = static_cast<int>(1 + random.below(s.gpus()));
    run.driver.submit(job(id, gang, arrival), {.work = work});
  }
  return run;
}

/// Whether the action carries out the plan: a job starts or grows to the planned number of GPUs.
bool follows(const Plan& plan, const Action& action) {
  JobId job;
  std::size_t gpus = 0;
  if (const auto* start = std::get_if<StartAttempt>(&action)) {
    job = start->job;
    gpus = start->allocation.slots.size();
  } else if (const auto* resize = std::get_if<ResizeAttempt>(&action)) {
    job = resize->job;
    gpus = resize->allocation.slots.size();
  }
  return std::any_of(plan.targets.begin(), plan.targets.end(), [&](const Target& target) {
    return target.job == job && static_cast<std::size_t>(gpus_of(target)) == gpus;
  });
}

TEST(PlanProperties, RandomPlansLoseNoJobAndOverAllocateNothing) {
  EXPECT_TRUE(rc::check("no promise is broken", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    PlannedRun run = planned_run(seed, RandomPlanner::Plans::many, seconds(40), 12);
    run.driver.report_every(seconds(5));
    if (seed % 2 == 0) run.driver.node_down_at(NodeId{0}, at(20), at(90));
    run.driver.run(20'000);

    std::string broken;
    for (const auto& violation : run.driver.violations()) broken += violation + "\n";
    for (const auto& [id, outcome] : run.driver.outcomes()) {
      if (outcome.finished == outcome.given_up) broken += fmt::format("job {}\n", id.value());
    }
    if (run.driver.scheduler().unfinished() != 0) broken += "jobs are left\n";
    if (!broken.empty()) RC_FAIL(fmt::format("seed {}\n{}", seed, broken));
  }));
}

TEST(PlanProperties, ImpossiblePlansAreRefusedAndChangeNothing) {
  int refused = 0;
  int adopted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    PlannedRun run = planned_run(seed, RandomPlanner::Plans::many, seconds(40), 12);
    int plans = 0;
    run.driver.watch([&](std::span<const Event>, Instant now, const Decision& decision) {
      if (run.planner->plans() == plans) return;
      plans = run.planner->plans();
      const bool is_refused = !decision.refused_plan.empty();
      EXPECT_EQ(is_refused, !run.planner->fault().empty())
          << "seed " << seed << ", " << to_seconds(now.time_since_epoch()) << " s: \""
          << run.planner->fault() << "\" and \"" << decision.refused_plan << "\"";
      for (const Action& action : decision.actions) {
        EXPECT_TRUE(!is_refused || follows(run.planner->adopted(), action))
            << "seed " << seed << ": " << text_of(action);
      }
      ++(is_refused ? refused : adopted);
    });
    run.driver.run(20'000);
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(adopted, 1000);
}

// The second of two plans comes while the first is being carried out. A start, stop or resize under
// way may end first, and each takes up to 2 s. 15 s later, all jobs have what the plan says.
TEST(PlanProperties, APlansStateIsReached) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    PlannedRun run = planned_run(seed, RandomPlanner::Plans::two, seconds(1000), 8);
    run.driver.run(20'000);

    EXPECT_EQ(run.planner->missed(), "") << "seed " << seed;
    EXPECT_EQ(run.planner->compared(), 8) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
