// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of the public step times (folder data/pollux of MIMUS_SHARED) is kept from the program,
// which has to predict it from the rest.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/text_file.hpp"
#include "model_builders.hpp"
#include "pollux_cluster.hpp"
#include "published_steps.hpp"
#include "tests/support/temporary_folder.hpp"
#include "workloads/pollux/step_table.hpp"

namespace mimus::emulator::test {
namespace {

constexpr int kGpusPerT4Node = 4;

using Held = std::function<bool(const PublishedStep&)>;
using Told = std::function<double(const PublishedStep&)>;  ///< s

/// Counts batches and placements, so that every other one can be told.
void rank(std::vector<PublishedStep>& rows) {
  std::map<std::string, std::map<std::vector<int>, std::set<std::int64_t>>> gangs;
  for (const PublishedStep& row : rows) {
    gangs[row.model][workloads::smallest_rotation(row.per_node)].insert(row.batch);
  }
  for (PublishedStep& row : rows) {
    const auto& placements = gangs.at(row.model);
    const auto gang = placements.find(workloads::smallest_rotation(row.per_node));
    row.rank_of_placement = static_cast<std::size_t>(std::distance(placements.begin(), gang));
    row.rank_of_batch =
        static_cast<std::size_t>(std::distance(gang->second.begin(), gang->second.find(row.batch)));
  }
}

class HeldOutSteps : public testing::Test {
 protected:
  void SetUp() override {
    const auto folder = pollux_folder();
    if (!folder) GTEST_SKIP() << "no MIMUS_SHARED with data/pollux";
    for (const auto& application : workloads::pollux_applications()) {
      const std::string name(application.name);
      const std::string traces = "traces/" + name;
      read_published_steps(*folder, traces + "/placements.csv", name, false, rows_);
      read_published_steps(*folder, traces + "/scalability.csv", name, true, rows_);
      for (const auto& entry : std::filesystem::directory_iterator(*folder + "/traces/" + name)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with("validation")) continue;
        kept_.write("traces/" + name + "/" + file, read_text_file(entry.path().string()));
      }
    }
    rank(rows_);
  }

  /// Hides the rows that `held` selects from the program and compares them with its predictions.
  [[nodiscard]] Errors without(const Held& held) const {
    std::map<std::string, std::string> files;
    for (const PublishedStep& row : rows_) {
      const bool placed = row.file.ends_with("placements.csv");
      const auto file =
          files
              .try_emplace(row.file, std::string(placed ? "placement" : "num_nodes,num_replicas") +
                                         ",local_bsz,step_time,sync_time\n")
              .first;
      if (!held(row)) file->second += row.text;
    }
    for (const auto& [name, text] : files) kept_.write(name, text);
    const auto steps = step_time(
        "{name: measured, path: \"" + kept_.path() + "\", otherwise: analytic}", machines());
    return errors_of_rows(held, [&](const PublishedStep& row) {
      return to_seconds(steps->step(attempt_of(row, kGpusPerT4Node), {}).step);
    });
  }

  /// Its nodes, with the table's values for T4 machines.
  [[nodiscard]] static ClusterConfig machines() {
    ClusterConfig cluster = small_cluster(1);
    cluster.shape.nodes = cluster.shape.nodes_per_rack = 16;
    cluster.network = cluster.rack_network = cluster.gpu.network;
    return cluster;
  }

  [[nodiscard]] Errors errors_of_rows(const Held& held, const Told& told) const {
    std::vector<double> errors;
    for (const PublishedStep& row : rows_) {
      if (held(row)) errors.push_back(std::abs(told(row) / row.step - 1.0));
    }
    return errors_of(std::move(errors));
  }

  [[nodiscard]] static Told by_the_footprint() {
    return [steps = std::make_shared<FootprintSteps>(machines())](const PublishedStep& row) {
      return steps->seconds(row);
    };
  }

  static bool on_one_gpu(const PublishedStep& row) { return row.per_node == std::vector{1}; }

  void expect_near(const Errors& errors) const {
    RecordProperty("points", static_cast<int>(errors.points));
    std::cout << errors.points << " points, mean " << errors.mean << " %, p95 " << errors.p95
              << " %\n";
    EXPECT_LE(errors.mean, 7.5);
    EXPECT_LE(errors.p95, 23.0);
  }

  TemporaryFolder kept_;
  std::vector<PublishedStep> rows_;
};

// Predictions from the footprints, hosts and links of kernels/gpus.yaml for all points. They were
// fitted to the steps of one GPU and to those within a node. The contention of hosts and the two
// rates of the network were fitted to the other points as well.
TEST_F(HeldOutSteps, AreWhatTheFootprintModelSays) {
  const auto told = by_the_footprint();

  const Errors errors = errors_of_rows([](const PublishedStep&) { return true; }, told);

  RecordProperty("points", static_cast<int>(errors.points));
  std::cout << errors.points << " points, mean " << errors.mean << " %, p95 " << errors.p95
            << " %\n";
  EXPECT_LE(errors.mean, 10.0);
  EXPECT_LE(errors.p95, 25.0);
}

// The ratio of a gang's step to that of one GPU with the same batch, for every such point.
TEST_F(HeldOutSteps, ScalesAsMeasured) {
  const auto told = by_the_footprint();
  std::map<std::pair<std::string, std::int64_t>, std::pair<double, double>> alone;
  for (const PublishedStep& row : rows_) {
    if (on_one_gpu(row)) alone[{row.model, row.batch}] = {row.step, told(row)};
  }
  std::vector<double> errors;
  for (const PublishedStep& row : rows_) {
    const auto one = alone.find({row.model, row.batch});
    if (on_one_gpu(row) || one == alone.end()) continue;
    const double measured = row.step / one->second.first;
    errors.push_back(std::abs(told(row) / one->second.second / measured - 1.0));
  }

  const Errors found = errors_of(std::move(errors));

  std::cout << found.points << " gangs, mean " << found.mean << " %, p95 " << found.p95 << " %\n";
  EXPECT_LE(found.mean, 10.0);
}

TEST_F(HeldOutSteps, EveryOtherBatch) {
  expect_near(without([](const PublishedStep& row) { return row.rank_of_batch % 2 == 1; }));
}

TEST_F(HeldOutSteps, HalfOfThePlacements) {
  expect_near(without([](const PublishedStep& row) { return row.rank_of_placement % 2 == 1; }));
}

TEST_F(HeldOutSteps, AllButOneGpuAndAFifthOfTheRest) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::map<std::string, bool> picked;
    RandomStream random(seed, "held out");
    for (const PublishedStep& row : rows_) picked[row.file + row.text] = random.uniform() >= 0.2;

    expect_near(without([&](const PublishedStep& row) {
      return !on_one_gpu(row) && picked.at(row.file + row.text);
    }));
  }
}

}  // namespace
}  // namespace mimus::emulator::test
