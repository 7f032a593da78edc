// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

/// Some jobs have no stages, some no estimate, and some fail; a node goes down.
Driver random_groups(std::uint64_t seed, Policy row) {
  RandomStream random(seed, "groups");
  const ClusterShape s = shape(static_cast<int>(1 + random.below(3)), 4, row.max_tenants());
  const Driver::Costs costs{.start = seconds(static_cast<double>(random.below(3))),
                            .stop = seconds(static_cast<double>(random.below(3)))};
  Driver driver(s, std::move(row), costs);
  for (int id = 0; id < 16; ++id) {
    const int gang = 1 << random.below(3);
    const double work = 20.0 + static_cast<double>(random.below(150));
    const double believed = work * static_cast<double>(random.below(4)) / 2.0;
    JobView view = estimated(id, gang, random.uniform(0.0, 150.0), believed);
    view.requested_batch = gang * (8 + 8 * random.below(6));
    if (random.below(5) > 0) {
      view.stages = StageTimes{.input = random.uniform(0.0, 1.0),
                               .compute = random.uniform(0.0, 1.0),
                               .network = random.uniform(0.0, 1.0),
                               .iteration = random.uniform(0.5, 3.0)};
    }
    const int failing = random.below(5) == 0 ? 1 : 0;
    driver.submit(view, {.work = seconds(work), .failing_attempts = failing});
  }
  if (seed % 2 == 0) driver.node_down_at(NodeId{0}, at(40), at(90));
  return driver;
}

std::string broken_by_groups(Driver& driver) {
  driver.run(20'000);
  std::string broken;
  for (const auto& violation : driver.violations()) broken += violation + "\n";
  for (const auto& [id, outcome] : driver.outcomes()) {
    if (outcome.finished == outcome.given_up) broken += fmt::format("job {}\n", id.value());
  }
  if (driver.scheduler().unfinished() != 0) broken += "jobs are left\n";
  return broken;
}

TEST(MuriProperties, GroupsLoseNoJobAndAreAlwaysPossible) {
  EXPECT_TRUE(rc::check("no promise is broken", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const std::string row =
        *rc::gen::element<std::string>("{planner: {name: muri, order: srsf}}", "{planner: muri}",
                                       "{planner: {name: muri, residents: 2}}");
    Driver driver = random_groups(seed, policy(row));
    bool is_refused = false;
    driver.watch([&](auto, Instant, const Decision& decision) {
      is_refused = is_refused || !decision.refused_plan.empty();
    });
    const std::string broken = broken_by_groups(driver);
    if (!broken.empty()) RC_FAIL(fmt::format("seed {} {}\n{}", seed, row, broken));
    RC_ASSERT(!is_refused);
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
