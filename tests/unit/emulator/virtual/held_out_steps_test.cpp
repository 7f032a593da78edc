// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of the public step times (folder data/pollux of MIMUS_SHARED) is kept from the program,
// which has to tell it from the rest.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/text_file.hpp"
#include "model_builders.hpp"
#include "pollux_cluster.hpp"
#include "tests/support/temporary_folder.hpp"
#include "workloads/csv/csv_reader.hpp"
#include "workloads/pollux/step_table.hpp"

namespace mimus::emulator::test {
namespace {

/// One measured step, with the row of the file that says so.
struct Row {
  std::string model;
  std::string file;  ///< in the folder
  std::string text;
  std::vector<int> per_node;
  std::int64_t batch = 1;
  double step = 0.0;
  std::size_t rank_of_batch = 0;      ///< among those of its gang
  std::size_t rank_of_placement = 0;  ///< among those of its model
};

using Held = std::function<bool(const Row&)>;

std::vector<int> spread(int nodes, int replicas) {
  std::vector<int> per_node(static_cast<std::size_t>(nodes), replicas / nodes);
  for (int i = 0; i < replicas % nodes; ++i) ++per_node[static_cast<std::size_t>(i)];
  return per_node;
}

void read_rows(const std::string& folder, const std::string& application, bool scalability,
               std::vector<Row>& rows) {
  const std::string file =
      "traces/" + application + (scalability ? "/scalability.csv" : "/placements.csv");
  const std::string path = folder + "/" + file;
  const std::string text = read_text_file(path);
  workloads::CsvReader reader(text, path, {"local_bsz", "step_time", "sync_time"});
  while (reader.next()) {
    Row row;
    row.model = std::string(workloads::pollux_application(application)->model);
    row.file = file;
    row.batch = reader.get<std::int64_t>("local_bsz");
    row.step = reader.get<double>("step_time");
    const auto first = reader.get<std::string>(scalability ? "num_nodes" : "placement");
    row.text = first + ",";
    if (scalability) {
      const auto replicas = reader.get<std::int64_t>("num_replicas");
      row.per_node = spread(std::stoi(first), static_cast<int>(replicas));
      row.text += std::to_string(replicas) + ",";
    } else {
      for (const char digit : first) row.per_node.push_back(digit - '0');
    }
    row.text += std::to_string(row.batch) + "," + reader.get<std::string>("step_time") + "," +
                reader.get<std::string>("sync_time") + "\n";
    rows.push_back(row);
  }
}

/// Counts batches and placements, so that every other one can be told.
void rank(std::vector<Row>& rows) {
  std::map<std::string, std::map<std::vector<int>, std::set<std::int64_t>>> gangs;
  for (const Row& row : rows) {
    gangs[row.model][workloads::smallest_rotation(row.per_node)].insert(row.batch);
  }
  for (Row& row : rows) {
    const auto& placements = gangs.at(row.model);
    const auto gang = placements.find(workloads::smallest_rotation(row.per_node));
    row.rank_of_placement = static_cast<std::size_t>(std::distance(placements.begin(), gang));
    row.rank_of_batch =
        static_cast<std::size_t>(std::distance(gang->second.begin(), gang->second.find(row.batch)));
  }
}

struct Errors {
  double mean = 0.0;
  double p95 = 0.0;
  std::size_t points = 0;
};

Errors errors_of(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
  return {100.0 * sum / static_cast<double>(errors.size()),
          100.0 * errors[errors.size() * 95 / 100], errors.size()};
}

class HeldOutSteps : public testing::Test {
 protected:
  void SetUp() override {
    const auto folder = pollux_folder();
    if (!folder) GTEST_SKIP() << "no MIMUS_SHARED with data/pollux";
    for (const auto& application : workloads::pollux_applications()) {
      const std::string name(application.name);
      read_rows(*folder, name, false, rows_);
      read_rows(*folder, name, true, rows_);
      for (const auto& entry : std::filesystem::directory_iterator(*folder + "/traces/" + name)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with("validation")) continue;
        kept_.write("traces/" + name + "/" + file, read_text_file(entry.path().string()));
      }
    }
    rank(rows_);
  }

  /// Keeps what `held` picks from the program and compares it with what that then says.
  [[nodiscard]] Errors without(const Held& held) const {
    std::map<std::string, std::string> files;
    for (const Row& row : rows_) {
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
    return errors_of_rows(*steps, held);
  }

  /// Its nodes, with what the table of machine types knows of T4s.
  [[nodiscard]] static ClusterConfig machines() {
    ClusterConfig cluster = small_cluster(1);
    cluster.shape.nodes = cluster.shape.nodes_per_rack = 16;
    cluster.network = cluster.rack_network = cluster.gpu.network;
    return cluster;
  }

  [[nodiscard]] Errors errors_of_rows(const StepTimeModel& steps, const Held& held) const {
    std::vector<double> errors;
    for (const Row& row : rows_) {
      if (!held(row)) continue;
      const double told = to_seconds(steps.step(attempt_of(row), {}).step);
      errors.push_back(std::abs(told / row.step - 1.0));
    }
    return errors_of(std::move(errors));
  }

  static Attempt attempt_of(const Row& row) {
    std::vector<int> gpus;
    for (std::size_t node = 0; node < row.per_node.size(); ++node) {
      for (int k = 0; k < row.per_node[node]; ++k) gpus.push_back(static_cast<int>(4 * node) + k);
    }
    return attempt_on(1, gpus, row.model, row.batch);
  }

  static bool on_one_gpu(const Row& row) { return row.per_node == std::vector{1}; }

  void expect_near(const Errors& errors) const {
    RecordProperty("points", static_cast<int>(errors.points));
    std::cout << errors.points << " points, mean " << errors.mean << " %, p95 " << errors.p95
              << " %\n";
    EXPECT_LE(errors.mean, 7.5);
    EXPECT_LE(errors.p95, 23.0);
  }

  TemporaryFolder kept_;
  std::vector<Row> rows_;
};

// What the footprints, hosts and links of kernels/gpus.yaml say of all of them. They were fitted on
// the steps of one GPU and those within a node; the contention of hosts and the two rates of the
// network on the rest as well.
TEST_F(HeldOutSteps, AreWhatTheFootprintModelSays) {
  const auto steps = step_time("analytic", machines());

  const Errors errors = errors_of_rows(*steps, [](const Row&) { return true; });

  RecordProperty("points", static_cast<int>(errors.points));
  std::cout << errors.points << " points, mean " << errors.mean << " %, p95 " << errors.p95
            << " %\n";
  EXPECT_LE(errors.mean, 10.0);
  EXPECT_LE(errors.p95, 25.0);
}

// How a step of a gang relates to that of one GPU with the same batch, for every such point.
TEST_F(HeldOutSteps, ScalesAsMeasured) {
  const auto steps = step_time("analytic", machines());
  std::map<std::pair<std::string, std::int64_t>, std::pair<double, double>> alone;
  const auto told = [&](const Row& row) {
    return to_seconds(steps->step(attempt_of(row), {}).step);
  };
  for (const Row& row : rows_) {
    if (on_one_gpu(row)) alone[{row.model, row.batch}] = {row.step, told(row)};
  }
  std::vector<double> errors;
  for (const Row& row : rows_) {
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
  expect_near(without([](const Row& row) { return row.rank_of_batch % 2 == 1; }));
}

TEST_F(HeldOutSteps, HalfOfThePlacements) {
  expect_near(without([](const Row& row) { return row.rank_of_placement % 2 == 1; }));
}

TEST_F(HeldOutSteps, AllButOneGpuAndAFifthOfTheRest) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::map<std::string, bool> picked;
    RandomStream random(seed, "held out");
    for (const Row& row : rows_) picked[row.file + row.text] = random.uniform() >= 0.2;

    expect_near(without(
        [&](const Row& row) { return !on_one_gpu(row) && picked.at(row.file + row.text); }));
  }
}

}  // namespace
}  // namespace mimus::emulator::test
