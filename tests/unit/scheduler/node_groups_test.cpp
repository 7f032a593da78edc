// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/types_of_job.hpp"

namespace mimus::scheduler::test {
namespace {

NodeGroup group(int nodes, int gpus_per_node, const char* type, double memory, int island = 2) {
  return {nodes, gpus_per_node, island, type, Bytes{memory}};
}

/// Nodes 0 and 1 have 4 V100 each (GPUs 0 to 7), nodes 2 to 4 have 2 T4 each (8 to 13), node 5 has
/// 8 V100 (14 to 21). Racks are of two nodes.
ClusterShape mixed(int lanes = 1) {
  ClusterShape s = ClusterShape::of_groups(
      {group(2, 4, "V100", 32e9), group(3, 2, "T4", 16e9), group(1, 8, "V100", 32e9, 4)}, 2);
  s.lanes_per_gpu = lanes;
  return s;
}

TEST(NodeGroups, NumberNodesGpusIslandsAndTypesInReadingOrder) {
  const ClusterShape s = mixed();

  EXPECT_EQ(s.nodes, 6);
  EXPECT_EQ(s.gpus(), 22);
  EXPECT_EQ(s.gpu_type, "V100+T4");
  EXPECT_EQ(s.node_of(GpuId{7}), NodeId{1});
  EXPECT_EQ(s.node_of(GpuId{9}), NodeId{2});
  EXPECT_EQ(s.node_of(GpuId{21}), NodeId{5});
  EXPECT_EQ(s.first_gpu(NodeId{5}), 14);
  EXPECT_EQ(s.gpus_on(NodeId{5}), 8);
  EXPECT_EQ(s.island_of(GpuId{7}), 3);   // four islands on the first two nodes
  EXPECT_EQ(s.island_of(GpuId{13}), 6);  // one on each of the next three
  EXPECT_EQ(s.island_of(GpuId{17}), 7);
  EXPECT_EQ(s.island_of(GpuId{18}), 8);
  EXPECT_EQ(s.type_of(NodeId{3}), 1);
  EXPECT_EQ(s.type_of(GpuId{20}), 0);
}

TEST(NodeGroups, KnowWhatEveryTypeHas) {
  const ClusterShape s = mixed();

  EXPECT_EQ(s.types(), 2);
  EXPECT_EQ(s.gpus_of_type(0), 16);
  EXPECT_EQ(s.gpus_of_type(1), 6);
  EXPECT_EQ(s.most_per_node(0), 8);
  EXPECT_EQ(s.most_per_node(1), 2);
  EXPECT_EQ(s.most_in_rack(0), 8);  // nodes 0 and 1; node 5 beside node 4
  EXPECT_EQ(s.most_in_rack(1), 4);  // nodes 2 and 3
  EXPECT_FALSE(s.groups->types()[0].even);
  EXPECT_TRUE(s.groups->types()[1].even);
  EXPECT_EQ(s.memory_of(GpuId{0}), Bytes{32e9});
  EXPECT_EQ(s.memory_of(GpuId{8}), Bytes{16e9});
  EXPECT_EQ(s.memory_of_types(kAllTypes), Bytes{16e9});
  EXPECT_EQ(s.memory_of_types(only_type(0)), Bytes{32e9});
  EXPECT_EQ(s.type_named("T4"), 1);
  EXPECT_EQ(s.type_named("A100"), std::nullopt);
}

TEST(NodeGroups, ThatAreAllAlikeAreTheShortForm) {
  const ClusterShape s =
      ClusterShape::of_groups({group(2, 4, "T4", 16e9), group(3, 4, "T4", 16e9)}, 5);

  EXPECT_EQ(s.groups, nullptr);
  EXPECT_EQ(s.nodes, 5);
  EXPECT_EQ(s.gpus_per_node, 4);
  EXPECT_EQ(s.gpus_per_island, 2);
  EXPECT_EQ(s.gpu_memory, Bytes{16e9});
  EXPECT_EQ(s.gpu_type, "T4");
}

TEST(Cluster, CountsFreeGpusByType) {
  Cluster cluster(mixed(2));
  cluster.allocate(JobId{0}, AttemptId{0}, slots(cluster, {0, 1, 8}), Bytes{1e9});
  cluster.set_node_up(NodeId{5}, false);

  EXPECT_EQ(cluster.free_gpus(0).total(), 6);
  EXPECT_EQ(cluster.free_gpus(1).total(), 5);
  EXPECT_EQ(cluster.free_gpus().total(), 11);
  EXPECT_EQ(cluster.gpus_below(2, 0), 8);
  EXPECT_EQ(cluster.gpus_below(1, 1), 5);
  cluster.lose_gpu(GpuId{13});

  EXPECT_EQ(cluster.gpus_left(1), 5);
  EXPECT_EQ(cluster.gpus_left(0), 16);
  EXPECT_EQ(cluster.free_gpus(1).count(NodeId{4}), 1);
}

/// A scheduler of a mixed cluster that takes jobs and starts what it can.
class Mixed {
 public:
  explicit Mixed(const std::string& row) : scheduler_(mixed(), policy(row)) {}

  Decision take(const JobView& job) { return scheduler_.on_event(JobArrived{job}, Instant{}); }
  std::vector<int> start_of(const JobView& job) {
    const auto starts = actions_of<StartAttempt>(take(job));
    return starts.empty() ? std::vector<int>{} : gpus_of(starts.front().allocation);
  }
  std::string refusal_of(const JobView& job) {
    const auto given_up = actions_of<GiveUpJob>(take(job));
    return given_up.empty() ? "" : given_up.front().reason;
  }

 private:
  Scheduler scheduler_;
};

JobView on_types(int id, int gang, std::vector<std::string> types) {
  JobView view = job(id, gang);
  view.gpu_types = std::move(types);
  return view;
}

TEST(GpuTypes, AGangTakesTheFirstTypeThatHasRoom) {
  Mixed cluster("placement: pack");

  EXPECT_EQ(cluster.start_of(job(0, 12)),
            (std::vector<int>{0, 1, 2, 3, 14, 15, 16, 17, 18, 19, 20, 21}));
  EXPECT_EQ(cluster.start_of(job(1, 6)), (std::vector<int>{8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(cluster.start_of(job(2, 4)), (std::vector<int>{4, 5, 6, 7}));
}

TEST(GpuTypes, AJobIsOnOneOfItsTypesOrWaits) {
  Mixed cluster("{order: {name: fifo, skip: true}, placement: pack}");

  EXPECT_EQ(cluster.start_of(on_types(0, 4, {"T4"})), (std::vector<int>{8, 9, 10, 11}));
  EXPECT_EQ(cluster.start_of(on_types(1, 4, {"T4"})), std::vector<int>{});
  EXPECT_EQ(cluster.start_of(on_types(2, 4, {"V100", "T4"})), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(cluster.start_of(on_types(3, 2, {"T4"})), (std::vector<int>{12, 13}));
}

TEST(GpuTypes, StrictPlacementCountsNodesOfTheType) {
  Mixed cluster("{order: {name: fifo, skip: true}, placement: strict}");

  EXPECT_EQ(cluster.start_of(on_types(0, 3, {"T4"})), (std::vector<int>{8, 9, 10}));
  EXPECT_EQ(cluster.start_of(on_types(1, 2, {"T4"})), (std::vector<int>{12, 13}));
}

TEST(GpuTypes, WhatNoTypeCanTakeIsRefused) {
  Mixed cluster("placement: pack");
  JobView large = on_types(3, 1, {"T4"});
  large.model.base_memory = Bytes{20e9};

  EXPECT_EQ(cluster.refusal_of(job(0, 17)),
            "asks for 17 GPUs of one type, but the cluster has 16 of type V100, 6 of type T4");
  EXPECT_EQ(cluster.refusal_of(on_types(1, 7, {"T4"})),
            "asks for 7 GPUs of one type, but the cluster has 6 of type T4");
  EXPECT_EQ(cluster.refusal_of(on_types(2, 1, {"A100"})),
            "may use GPUs of type A100 only, but the cluster has V100, T4");
  EXPECT_EQ(cluster.refusal_of(large),
            "needs 20.8 GB per GPU with its smallest batch of 8, but a T4 has 16 GB");
}

TEST(GpuTypes, WithoutTheMemoryForAJobAreNotForIt) {
  JobView large = job(0, 6);
  large.model.base_memory = Bytes{20e9};

  EXPECT_EQ(types_for(mixed(), large), only_type(0));
  EXPECT_EQ(types_for(mixed(), job(1)), only_type(0) | only_type(1));
}

/// The batch is cut to what the GPUs take: 2 GB + 0.5 GB per sample.
TEST(GpuTypes, ABatchIsCutToTheMemoryOfTheTypeItIsOn) {
  Mixed cluster("{order: {name: fifo, skip: true}, placement: pack}");
  const auto batch_on = [&](int id, const char* type) {
    JobView view = on_types(id, 1, {type});
    view.model.memory_per_sample = Bytes{0.5e9};
    view.requested_batch = 64;
    return actions_of<StartAttempt>(cluster.take(view)).front().batch;
  };

  EXPECT_EQ(batch_on(0, "T4").per_gpu, 22);    // of at most 28, in three micro-batches
  EXPECT_EQ(batch_on(1, "V100").per_gpu, 32);  // of at most 60, in two
}

/// Two nodes of 4 GPUs and 8 cores, and one of 4 GPUs and 4 cores.
TEST(GpuTypes, AJobIsRefusedIfTheirNodesHaveTooFewCores) {
  NodeGroup large = group(2, 4, "T4", 16e9);
  large.host.milli_cores = 8000;
  NodeGroup small = group(1, 4, "T4", 16e9);
  small.host.milli_cores = 4000;
  const Cluster cluster(ClusterShape::of_groups({large, small}, 3));
  const auto fits = [&](int gang, std::int64_t cores) {
    JobView view = job(0, gang);
    view.host.milli_cores = 1000 * cores;
    view.types = kAllTypes;
    return fits_no_node(cluster, view).empty();
  };

  EXPECT_TRUE(fits(4, 8));
  EXPECT_FALSE(fits(4, 9));
  EXPECT_TRUE(fits(10, 20));  // four on each of the first two, two on the last
  EXPECT_FALSE(fits(11, 22));
}

}  // namespace
}  // namespace mimus::scheduler::test
