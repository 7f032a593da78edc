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

/// One choice per seam, by name.
using Row = std::vector<std::pair<std::string, std::string>>;

std::string yaml_of(const Row& row) {
  std::string yaml = "{";
  for (const auto& [seam, choice] : row) {
    const std::string mapping =
        choice == "quota" ? "{name: quota, gpus: {red: 3, blue: 5}, others: 6}" : choice;
    yaml += fmt::format("{}{}: {}", yaml.size() > 1 ? ", " : "", seam, mapping);
  }
  return yaml + "}";
}

/// Every combination of the registered choices that is allowed, so that a new choice is covered
/// by being registered.
std::vector<Row> all_rows() {
  std::map<std::string, std::vector<std::string>> seams;
  for (const auto& line : describe_policies()) seams[line.seam].push_back(line.choice);
  seams["order"].push_back("{name: fifo, skip: true}");
  seams["order"].push_back("{name: las, limits: [30 s, 120 s], promote: 4}");
  seams["preemption"].push_back("{name: checkpoint, min_run: 1 s}");
  std::vector<Row> rows{{}};
  for (const auto& [seam, choices] : seams) {
    std::vector<Row> longer;
    for (const Row& row : rows) {
      for (const auto& choice : choices) {
        longer.push_back(row);
        longer.back().emplace_back(seam, choice);
      }
    }
    rows = std::move(longer);
  }
  const auto has = [](const Row& row, const char* seam, const char* choice) {
    return std::find(row.begin(), row.end(), Row::value_type(seam, choice)) != row.end();
  };
  std::erase_if(rows, [&](const Row& row) {
    return has(row, "sizing", "goodput") && has(row, "estimate", "none");
  });
  return rows;
}

/// Fills a driver with a random cluster and workload, both functions of the seed alone.
Driver random_run(const Row& row, std::uint64_t seed, int jobs) {
  RandomStream random(seed, "scheduler properties");
  ClusterShape s =
      shape(static_cast<int>(1 + random.below(5)), static_cast<int>(2 * (1 + random.below(2))),
            static_cast<int>(1 + random.below(3)));
  s.gpus_per_island = 2;
  s.nodes_per_rack = static_cast<int>(1 + random.below(3));
  Driver driver(s, policy(yaml_of(row)),
                {.start = seconds(static_cast<double>(random.below(3))),
                 .stop = seconds(static_cast<double>(random.below(3)))});
  driver.report_every(seconds(random.uniform() < 0.5 ? 0.0 : 7.0));
  double arrival = 0.0;
  for (int id = 0; id < jobs; ++id) {
    arrival += random.uniform() < 0.3 ? 0.0 : std::floor(random.exponential(10.0));
    JobView view =
        job(id, static_cast<int>(1 + random.below(s.gpus() + (id == 0 ? 2 : 0))), arrival);
    view.virtual_cluster = random.uniform() < 0.5 ? "red" : "blue";
    view.requested_batch = 8 + random.below(400);
    view.user_estimate = seconds(static_cast<double>(random.below(100)));
    view.model.base_memory = Bytes{random.uniform(1e9, 9e9)};
    Truth truth{.work = seconds(1.0 + std::floor(random.exponential(60.0)))};
    if (random.uniform() < 0.2) {
      truth.failing_attempts = static_cast<int>(random.below(6));
      truth.out_of_memory = random.uniform() < 0.5;
    }
    driver.submit(view, truth);
  }
  if (random.uniform() < 0.3) driver.node_down_at(NodeId{0}, at(20), at(90));
  return driver;
}

/// Everything that must hold of a run, as text; "" when all does.
std::string broken_promises(Driver& driver) {
  driver.run(20'000);
  std::string text;
  for (const auto& violation : driver.violations()) text += violation + "\n";
  for (const auto& [id, outcome] : driver.outcomes()) {
    if (outcome.finished == outcome.given_up) {
      text += fmt::format("job {} has not left the system exactly once\n", id.value());
    }
    for (std::size_t i = 1; i < outcome.runs.size(); ++i) {
      if (outcome.runs[i].first < outcome.runs[i - 1].second) {
        text += fmt::format("job {} has overlapping runs\n", id.value());
      }
    }
  }
  const Cluster& cluster = driver.scheduler().cluster();
  if (cluster.idle_gpus() != cluster.shape().gpus()) text += "GPUs are held after the end\n";
  if (driver.scheduler().unfinished() != 0) text += "jobs are counted as unfinished\n";
  return text;
}

TEST(SchedulerProperties, HoldForEveryCombinationOfChoices) {
  std::uint64_t seed = 0;
  for (const Row& row : all_rows()) {
    Driver driver = random_run(row, ++seed, 8);

    EXPECT_EQ(broken_promises(driver), "") << yaml_of(row) << " seed " << seed;
  }
}

TEST(SchedulerProperties, HoldForRandomWorkloads) {
  const auto rows = all_rows();
  EXPECT_TRUE(rc::check("no promise is broken", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const auto jobs = *rc::gen::inRange(1, 40);
    Driver driver = random_run(row, seed, jobs);

    const std::string broken = broken_promises(driver);

    if (!broken.empty()) RC_FAIL(yaml_of(row) + "\n" + broken);
  }));
}

TEST(SchedulerProperties, EqualEventsGiveEqualDecisions) {
  const auto rows = all_rows();
  EXPECT_TRUE(rc::check("two runs have one log", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    Driver one = random_run(row, seed, 20);
    Driver two = random_run(row, seed, 20);
    one.run(20'000);
    two.run(20'000);

    RC_ASSERT(!one.log().empty());
    RC_ASSERT(one.log() == two.log());
  }));
}

// Without preemption, failures or relaxing, a job that started runs once to its end.
TEST(SchedulerProperties, WithoutPreemptionEveryJobRunsOnce) {
  EXPECT_TRUE(rc::check("one run per job", [&] {
    const auto order =
        *rc::gen::element<std::string>("fifo", "{name: fifo, skip: true}", "sjf", "las");
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    RandomStream random(seed, "one run");
    Driver driver(shape(2, 4), policy("order: " + order), {});
    for (int id = 0; id < 30; ++id) {
      driver.submit(job(id, static_cast<int>(1 + random.below(8)), random.uniform(0, 50)),
                    {.work = seconds(random.uniform(1, 30))});
    }
    driver.run();

    for (const auto& [id, outcome] : driver.outcomes()) {
      RC_ASSERT(outcome.finished);
      RC_ASSERT(outcome.runs.size() == 1U);
    }
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
