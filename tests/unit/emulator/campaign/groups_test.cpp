// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters by groups: what is read, and what is refused beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoTypes =
    "{groups: [{name: fast, nodes: 2, gpus_per_node: 4, gpu: V100, gpus_per_island: 2},"
    " {nodes: 3, gpus_per_node: 2, gpu: T4, network: 10 Gbit/s, gpu_memory: 12 GB}]}";
constexpr const char* kUneven =
    "{groups: [{nodes: 2, gpus_per_node: 4, gpu: V100}, {nodes: 1, gpus_per_node: 8, gpu: V100}]}";

ConfigNode document_with(const std::string& cluster) {
  ConfigNode document = parse_yaml(test::kOneCell, "cell.yaml");
  set_path(document, "cluster", parse_yaml(cluster, "cluster"));
  set_path(document, "engine", parse_yaml("{kind: virtual}", "engine"));
  return document;
}

ClusterConfig cluster_of(const std::string& cluster) {
  return read_cluster(resolved_cell(document_with(cluster)));
}

std::string cluster_error(const std::string& cluster) {
  return test::config_error([&] { (void)cluster_of(cluster); });
}

TEST(ClusterGroups, AreReadWithTheDefaultsOfTheirTypes) {
  const ClusterConfig cluster = cluster_of(kTwoTypes);

  ASSERT_EQ(cluster.shape.types(), 2);
  EXPECT_EQ(cluster.shape.nodes, 5);
  EXPECT_EQ(cluster.shape.nodes_per_rack, 5);
  EXPECT_EQ(cluster.shape.gpus(), 14);
  EXPECT_EQ(cluster.shape.island_size(NodeId{0}), 2);
  EXPECT_EQ(cluster.shape.island_size(NodeId{2}), 2);
  EXPECT_EQ(cluster.shape.memory_of(GpuId{0}), kernels::gpu_spec("V100").memory);
  EXPECT_EQ(cluster.shape.memory_of(GpuId{8}), Bytes{12e9});
  EXPECT_EQ(cluster.gpu_of(GpuId{7}).name, "V100");
  EXPECT_EQ(cluster.gpu_of(GpuId{8}).name, "T4");
  EXPECT_EQ(cluster.network_of_type(0), kernels::gpu_spec("V100").network);
  EXPECT_EQ(cluster.network_of_type(1).rate, BytesPerSecond{1.25e9});
}

TEST(ClusterGroups, OfOneKindAreTheShortForm) {
  const ClusterConfig groups = cluster_of(
      "{groups: [{nodes: 2, gpus_per_node: 4, gpu: T4}, {nodes: 3, gpus_per_node: 4, gpu: T4}]}");
  const ClusterConfig alike = cluster_of("{nodes: 5, gpus_per_node: 4, gpu: T4}");

  EXPECT_EQ(groups.shape.groups, nullptr);
  EXPECT_TRUE(groups.machines.empty());
  EXPECT_EQ(groups.shape.nodes, alike.shape.nodes);
  EXPECT_EQ(groups.shape.gpus_per_island, alike.shape.gpus_per_island);
  EXPECT_EQ(groups.shape.nodes_per_rack, alike.shape.nodes_per_rack);
  EXPECT_EQ(groups.shape.gpu_memory, alike.shape.gpu_memory);
  EXPECT_EQ(links_text(groups), links_text(alike));
}

TEST(ClusterGroups, MayNameTypesOfTheCampaign) {
  ConfigNode document = document_with(
      "{groups: [{nodes: 1, gpus_per_node: 1, gpu: mine}, {nodes: 1, gpus_per_node: 1, gpu: T4}]}");
  ConfigNode mine = parse_yaml(
      "{name: mine, source: a test, fp32: 1 TFLOP/s, fp16: 2 TFLOP/s, memory_bandwidth: 100 GB/s, "
      "memory: 8 GB, multiprocessors: 10, island_link: 10 GB/s, node_link: 10 GB/s, network: 1 "
      "GB/s, host_link: 6 GB/s, "
      "launch_gap: 5 us, gpus_per_node: 1}",
      "gpus.yaml");
  const std::vector<ConfigNode> machines{mine};

  describe_machines(document, machines);

  EXPECT_EQ(read_cluster(resolved_cell(document)).gpu_of(GpuId{0}).memory, Bytes{8e9});
}

TEST(ClusterGroups, AreRefusedWhereTheyContradict) {
  EXPECT_THAT(cluster_error("{nodes: 2, groups: [{nodes: 1, gpus_per_node: 1, gpu: T4}]}"),
              HasSubstr("cluster.nodes: is stated by each entry of groups"));
  EXPECT_THAT(cluster_error("{groups: []}"), HasSubstr("cluster.groups: needs at least one entry"));
  EXPECT_THAT(cluster_error("{groups: [{nodes: 1, gpu: T4}]}"), HasSubstr("gpus_per_node"));
  EXPECT_THAT(cluster_error("{groups: [{nodes: 1, gpus_per_node: 1, gpu: T5}]}"),
              HasSubstr("did you mean"));
  EXPECT_THAT(cluster_error("{groups: [{nodes: 1, gpus_per_node: 1, gpu: T4, corse: 4}]}"),
              HasSubstr("cores"));
  EXPECT_THAT(cluster_error("{groups: [{nodes: 1, gpus_per_node: 1, gpu: T4},"
                            " {nodes: 1, gpus_per_node: 2, gpu: T4, network: 1 Gbit/s}]}"),
              HasSubstr("entries 0 and 1 are both of GPU type T4 but differ in network"));
  EXPECT_THAT(cluster_error("{nodes: 1, gpus_per_node: 1}"), HasSubstr("gpu"));
}

/// What is refused of a cell on the cluster with these keys in place of others.
std::string refused(const std::string& cluster, const char* key, const std::string& value) {
  ConfigNode document = document_with(cluster);
  set_path(document, key, parse_yaml(value, "value"));
  return test::config_error([&] {
    (void)test::inspected(test::cell_of(resolved_cell(document)),
                          workloads::ModelCatalogue::built_in());
  });
}

TEST(ClusterGroups, RefuseWhatTakesNodesToBeAlike) {
  EXPECT_EQ(refused(kTwoTypes, "policy", "{order: sjf, preemption: checkpoint, estimate: oracle}"),
            "no error");
  EXPECT_EQ(refused(kTwoTypes, "policy", "sia"), "no error");
  EXPECT_EQ(refused(kTwoTypes, "policy", "{preset: sia, estimate: profile}"), "no error");
  EXPECT_THAT(refused(kTwoTypes, "policy", "{planner: gavel, estimate: fitted}"),
              HasSubstr("policy.estimate: \"fitted\" assumes identical nodes"));
  EXPECT_THAT(refused(kTwoTypes, "policy", "{batch: goodput, estimate: fitted}"),
              HasSubstr("policy.batch: assumes that a job is equally fast"));
  EXPECT_THAT(refused(kTwoTypes, "policy", "{planner: greedy}"),
              HasSubstr("policy.planner: assumes that all nodes are identical"));
  EXPECT_THAT(
      refused(kTwoTypes, "policy", "{admission: {name: quota, gpus: {a: 1}, borrow: true}}"),
      HasSubstr("policy.admission.borrow: lends idle GPUs"));
  EXPECT_THAT(refused(kTwoTypes, "policy", "{estimate: profile}"),
              HasSubstr("allowed: none, history, tree, qssf, oracle"));
  EXPECT_THAT(refused(kTwoTypes, "engine", "{kind: virtual, step_time: {name: measured, path: a}}"),
              HasSubstr("engine.step_time: \"measured\""));
  EXPECT_THAT(refused(kTwoTypes, "engine", "{kind: live, pace: none}"),
              HasSubstr("engine.pace: with none"));
  EXPECT_EQ(refused(kTwoTypes, "engine", "{kind: live, device: cuda}"), "no error");
}

TEST(ClusterGroups, RefusePlacementsByNodeSizeOnlyWhereNodesOfATypeDiffer) {
  for (const std::string placement : {"strict", "consolidated"}) {
    EXPECT_EQ(refused(kTwoTypes, "policy", "{placement: " + placement + "}"), "no error");
    EXPECT_THAT(refused(kUneven, "policy", "{placement: " + placement + "}"),
                HasSubstr("assumes nodes of equal size, but those of type V100 differ"));
  }
  EXPECT_EQ(refused(kUneven, "policy", "{placement: pack}"), "no error");
}

TEST(ClusterGroups, RefuseSharingLawsOfOneType) {
  const std::string shared = "{order: fifo, sharing: tenants}";
  ConfigNode document = document_with(kTwoTypes);
  set_path(document, "policy", parse_yaml(shared, "policy"));
  set_path(document, "engine", parse_yaml("{kind: virtual, interference: mps}", "engine"));
  const auto inspect = [&] {
    (void)test::inspected(test::cell_of(resolved_cell(document)),
                          workloads::ModelCatalogue::built_in());
  };

  EXPECT_THAT(test::config_error(inspect), HasSubstr("allowed: slices, phases"));
  set_path(document, "engine", parse_yaml("{kind: virtual, interference: slices}", "engine"));
  EXPECT_EQ(test::config_error(inspect), "no error");
}

TEST(ClusterGroups, RefuseJobsThatNoTypeCanTake) {
  const auto error = [](const std::string& job) {
    return refused(kTwoTypes, "workload.jobs", "[{model: resnet18, samples: 1e5, " + job + "}]");
  };

  EXPECT_EQ(error("gang: 8"), "no error");
  EXPECT_EQ(error("gang: 6, gpu_types: [T4]"), "no error");
  EXPECT_THAT(
      error("gpu_types: [V10]"),
      HasSubstr("gpu_types: unknown GPU type of the cluster \"V10\"; did you mean \"V100\""));
  EXPECT_THAT(error("gang: 9"), HasSubstr("asks for 9 GPUs of one type with"));
  EXPECT_THAT(error("gang: 7, gpu_types: [T4]"), HasSubstr("the cluster has 6 T4 with 12 GB each"));
}

TEST(ClusterGroups, JobsNameTypesOfAClusterOfOneTypeToo) {
  const auto error = [](const std::string& types) {
    return refused("{nodes: 1, gpus_per_node: 2, gpu: T4}", "workload.jobs",
                   "[{model: resnet18, samples: 1e5, gpu_types: [" + types + "]}]");
  };

  EXPECT_EQ(error("T4"), "no error");
  EXPECT_THAT(error("V100"), HasSubstr("unknown GPU type of the cluster \"V100\""));
}

}  // namespace
}  // namespace mimus::emulator
