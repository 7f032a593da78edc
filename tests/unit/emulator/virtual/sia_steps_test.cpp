// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Modelled steps of gangs on A100 nodes against those of Sia's public artifact
// (https://github.com/siasosp23/artifacts). MIMUS_SIA names a checkout; nothing of it is here.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "base/config_tree.hpp"
#include "model_builders.hpp"
#include "published_steps.hpp"
#include "workloads/pollux/application.hpp"

namespace mimus::emulator::test {
namespace {

constexpr int kGpusPerA100Node = 8;

/// Sia's A100 nodes, as configs/machines describes them.
ClusterConfig dgx_nodes() {
  const auto source = std::filesystem::path(std::getenv("MIMUS_SOURCE_DIR"));
  const auto table =
      kernels::read_gpu_table(load_yaml_file((source / "configs/machines/sia-a100.yaml").string()));
  ClusterConfig cluster = small_cluster(1);
  cluster.gpu = table.at(0);
  cluster.shape.gpu_type = cluster.gpu.name;
  cluster.shape.gpus_per_node = cluster.shape.gpus_per_island = kGpusPerA100Node;
  cluster.network = cluster.rack_network = cluster.gpu.network;
  return cluster;
}

std::vector<PublishedStep> published_steps(const std::filesystem::path& checkout) {
  std::vector<PublishedStep> rows;
  for (const auto& application : workloads::pollux_applications()) {
    const std::string name(application.name);
    const std::string file = "sia-simulator/traces/" + name + "/placements-dgx-ext.csv";
    read_published_steps(checkout.string(), file, name, false, rows);
  }
  return rows;
}

TEST(SiaSteps, OfGangsOnA100NodesAreWhatTheFootprintModelSays) {
  const char* checkout = std::getenv("MIMUS_SIA");
  if (checkout == nullptr) GTEST_SKIP() << "no MIMUS_SIA, a checkout of Sia's artifact";
  FootprintSteps steps(dgx_nodes());
  std::vector<double> errors;
  std::map<std::string, std::vector<double>> by_model;

  for (const PublishedStep& row : published_steps(checkout)) {
    errors.push_back(std::abs(steps.seconds(row) / row.step - 1.0));
    by_model[row.model].push_back(errors.back());
  }

  for (const auto& [model, of_model] : by_model) {
    const Errors found = errors_of(of_model);
    std::cout << model << ": " << found.points << " points, mean " << found.mean << " %, p95 "
              << found.p95 << " %\n";
  }
  const Errors all = errors_of(errors);
  std::cout << all.points << " points, mean " << all.mean << " %, p95 " << all.p95 << " %\n";
  EXPECT_LE(all.mean, 10.0);
  EXPECT_LE(all.p95, 25.0);
}

}  // namespace
}  // namespace mimus::emulator::test
