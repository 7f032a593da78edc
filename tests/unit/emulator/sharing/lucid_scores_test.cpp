// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Fits the decision tree of `planner: lucid`. `ctest --preset dev -R sharing -V` prints it, and the
// scores that pairs measured on an H100 (tests/fidelity/measured) and by Gavel on a V100 (folder
// data/gavel of MIMUS_SHARED) would have.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "emulator/sharing/mps_law.hpp"
#include "scheduler/planner/lucid/binder.hpp"
#include "scheduler/trees/regression_tree.hpp"

namespace mimus::emulator {
namespace {

using scheduler::Binder;

constexpr double kTinySpeed = 0.95;
constexpr double kMediumSpeed = 0.85;

int score_of(double mean_speed) {
  if (mean_speed >= kTinySpeed) return 0;
  return mean_speed >= kMediumSpeed ? 1 : 2;
}

/// Speeds of jobs beside one like them under the law that Lucid's measured pairs follow, for
/// utilisations of 1 to 100 %.
scheduler::RegressionTree tree_on_lawful_pairs(int depth) {
  const MpsLaw law({.capacity = 1.0, .slope = 0.52});
  std::vector<double> utilisations;
  std::vector<double> speeds;
  for (int percent = 1; percent <= 100; ++percent) {
    GpuTenant tenant;
    tenant.utilisation = percent / 100.0;
    utilisations.push_back(tenant.utilisation);
    speeds.push_back(1.0 / law.slowdown(tenant, {&tenant, 1}));
  }
  return {scheduler::Examples({utilisations}), speeds, {.max_depth = depth, .min_leaf = 2}};
}

/// The smallest utilisation, in steps of 0.1 %, at which a job's score is at least this.
double first_with(const scheduler::RegressionTree& tree, int score) {
  int permille = 0;
  while (score_of(tree.predict(std::vector{permille / 1000.0})) < score) ++permille;
  return permille / 1000.0;
}

TEST(LucidScores, ThresholdsAreThoseOfAShallowTree) {
  const Binder::Settings defaults;
  for (const int depth : {2, 3}) {
    const auto tree = tree_on_lawful_pairs(depth);
    std::cout << "depth " << depth << ": score 0 below " << first_with(tree, 1) << ", 1 below "
              << first_with(tree, 2) << '\n';
    EXPECT_NEAR(first_with(tree, 1), defaults.tiny_below, 1e-3);
    EXPECT_NEAR(first_with(tree, 2), defaults.medium_below, 1e-3);
  }
}

using Job = std::string;
/// The share of its speed that the first job keeps beside the second one.
using Kept = std::map<std::pair<Job, Job>, double>;

/// How many jobs have each score, by the mean speed of the pairs that they are in.
std::vector<int> jobs_by_score(const Kept& kept) {
  std::map<Job, std::pair<double, int>> sums;
  for (const auto& [jobs, own] : kept) {
    const auto other = kept.find({jobs.second, jobs.first});
    if (other == kept.end()) continue;
    auto& [sum, count] = sums[jobs.first];
    sum += 0.5 * (own + other->second);
    ++count;
  }
  std::vector<int> jobs(3);
  for (const auto& [job, sum] : sums) {
    ++jobs[static_cast<std::size_t>(score_of(sum.first / sum.second))];
  }
  return jobs;
}

void print(const std::string& what, const std::vector<int>& jobs) {
  std::cout << what << ": " << jobs[0] << " jobs of score 0, " << jobs[1] << " of 1, " << jobs[2]
            << " of 2\n";
}

TEST(LucidScores, NearlyAllJobsMeasuredOnAnH100AreJumbo) {
  std::ifstream file(std::filesystem::path(MIMUS_FIDELITY) / "measured/h100.json");
  const auto measured = nlohmann::json::parse(file);
  std::map<std::string, Kept> kept;
  for (const auto& pair : measured.at("pairs")) {
    const auto one = pair.at("model").get<Job>();
    const auto other = pair.at("co_model").get<Job>();
    kept[pair.at("sharing")][{one, other}] = 1.0 / pair.at("slowdown").get<double>();
  }
  for (const auto& [sharing, pairs] : kept) print("H100, " + sharing, jobs_by_score(pairs));
  EXPECT_EQ(jobs_by_score(kept.at("mps")), (std::vector{0, 1, 6}));
  EXPECT_EQ(jobs_by_score(kept.at("time_slice")), (std::vector{0, 0, 7}));
}

TEST(LucidScores, NearlyAllJobsThatGavelMeasuredAreJumbo) {
  const char* shared = std::getenv("MIMUS_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "no MIMUS_SHARED with data/gavel";
  std::ifstream file(std::filesystem::path(shared) / "data/gavel/simulation_throughputs.json");
  if (!file) GTEST_SKIP() << "no data/gavel";
  const auto measured = nlohmann::json::parse(file);
  for (const auto& [gpu, medium] : {std::pair{"v100", 1}, std::pair{"p100", 0}}) {
    Kept kept;
    for (const auto& [job, row] : measured.at(gpu).items()) {
      for (const auto& [other, speeds] : row.items()) {
        const bool are_single = job.ends_with("', 1)") && other.ends_with("', 1)");
        if (!are_single || speeds.at(0) <= 0.0 || speeds.at(1) <= 0.0) continue;
        kept[{job, other}] = speeds.at(0).get<double>() / row.at("null").get<double>();
      }
    }
    print(gpu, jobs_by_score(kept));
    EXPECT_EQ(jobs_by_score(kept), (std::vector{0, medium, 26 - medium})) << gpu;
  }
}

}  // namespace
}  // namespace mimus::emulator
