// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps on nodes of several GPU types.
#include <gtest/gtest.h>

#include "emulator/modelled_throughput.hpp"
#include "emulator/virtual/contention/shared_links.hpp"
#include "emulator/virtual/oracle/model_oracle.hpp"
#include "emulator/virtual/oracle/packed_rates.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

/// A T4 on which bert-base takes twice as long, on device and host.
kernels::GpuSpec half_of_t4() {
  kernels::GpuSpec gpu = kernels::gpu_spec("T4");
  auto host = kernels::host_work(catalogue().at("bert-base"), gpu);
  host.per_step *= 2;
  host.per_sample *= 2;
  const auto efficiency = kernels::efficiency(catalogue().at("bert-base"), gpu);
  gpu.models["bert-base"] = {host, efficiency};
  for (auto* rate : {&gpu.fp32, &gpu.tf32, &gpu.fp16}) rate->value /= 2;
  gpu.memory_bandwidth.value /= 2;
  gpu.host_link.value /= 2;
  gpu.launch_gap *= 2;
  gpu.name = "half";
  return gpu;
}

/// Two nodes of 4 T4 (GPUs 0 to 7) with 1 GB/s between nodes, then two of 2 halves of T4 (8 to 11)
/// with 0.5 GB/s.
ClusterConfig two_types() {
  ClusterConfig cluster = small_cluster();
  const int lanes = cluster.shape.lanes_per_gpu;
  cluster.shape = scheduler::ClusterShape::of_groups(
      {{2, 4, 4, "T4", Bytes{16e9}}, {2, 2, 2, "half", Bytes{8e9}}}, 4);
  cluster.shape.lanes_per_gpu = lanes;
  MachineConfig first{cluster.gpu, cluster.network, cluster.network};
  MachineConfig second{half_of_t4(), cluster.network, cluster.network};
  second.network.rate = second.rack_network.rate = BytesPerSecond{0.5e9};
  cluster.machines = {first, second};
  return cluster;
}

/// A cluster of that type alone.
ClusterConfig only(int type) {
  ClusterConfig cluster = small_cluster();
  const MachineConfig machine = two_types().machines[static_cast<std::size_t>(type)];
  cluster.shape.nodes_per_rack = 4;
  cluster.gpu = machine.gpu;
  cluster.network = cluster.rack_network = machine.network;
  return cluster;
}

Duration step_of(const ClusterConfig& cluster, const std::vector<int>& gpus,
                 const std::string& model = "bert-base") {
  return step_time("analytic", cluster)->step(attempt_on(1, gpus, model, 4), {}).step;
}

TEST(GroupSteps, AreThoseOfTheTypeThatTheGangIsOn) {
  EXPECT_EQ(step_of(two_types(), {5}), step_of(only(0), {5}));
  EXPECT_EQ(step_of(two_types(), {0, 1, 4, 5}), step_of(only(0), {0, 1, 4, 5}));
  EXPECT_EQ(step_of(two_types(), {8}), step_of(only(1), {0}));
  EXPECT_EQ(step_of(two_types(), {8, 9, 10, 11}), step_of(only(1), {0, 1, 4, 5}));
}

// Every rate is half as high.
TEST(GroupSteps, TakeTwiceAsLongOnGpusThatAreHalfAsFast) {
  EXPECT_NEAR(to_seconds(step_of(two_types(), {8})), 2.0 * to_seconds(step_of(two_types(), {0})),
              1e-8);
}

// Node 1 and node 2: the halves compute, and their 0.5 GB/s are the narrowest link. Another gang of
// two replicas on two nodes is as fast if both are of that kind.
TEST(GroupSteps, OfAGangOverTypesAreThoseOfItsSlowestMember) {
  EXPECT_EQ(step_of(two_types(), {4, 8}), step_of(only(1), {0, 4}));
  EXPECT_EQ(step_of(two_types(), {8, 4}), step_of(only(1), {0, 4}));
}

TEST(GroupSteps, AreWhatTheLiveEngineAndPoliciesModel) {
  const ModelledThroughput modelled(two_types(), catalogue());
  for (const std::vector<int>& gpus : {std::vector<int>{0, 1}, {8, 9}, {4, 8}}) {
    const Attempt attempt = attempt_on(1, gpus, "bert-base", 4);

    EXPECT_EQ(modelled.step_time("bert-base", attempt.allocation, attempt.batch),
              step_of(two_types(), gpus));
  }
}

TEST(GroupSteps, LinksOfEveryTypeAreInTheirText) {
  const std::string text = links_text(two_types());

  EXPECT_NE(text.find("T4: island"), std::string::npos) << text;
  EXPECT_NE(text.find("half: island"), std::string::npos) << text;
}

workloads::Job bert_job(std::vector<std::string> types, int gang = 1) {
  workloads::Job job;
  job.id = JobId{1};
  job.model = "bert-base";
  job.gang = gang;
  job.total_batch = 4 * gang;
  job.work_samples = 1000;
  job.gpu_types = std::move(types);
  return job;
}

TEST(GroupSteps, TheOracleTakesTheFirstTypeThatAJobMayUse) {
  const ClusterConfig cluster = two_types();
  const auto steps = step_time("analytic", cluster);
  workloads::Job job = bert_job({});
  const ModelOracle oracle(
      cluster, *steps, catalogue(),
      {[&job](JobId) -> const workloads::Job& { return job; }, [](JobId) { return 0.0; }});

  EXPECT_EQ(oracle.step_time(job.id, 1), step_of(cluster, {0}));
  job = bert_job({"half"});
  EXPECT_EQ(oracle.step_time(job.id, 1), step_of(cluster, {8}));
  job = bert_job({"half"}, 5);
  EXPECT_EQ(oracle.run_time(job.id), std::nullopt);
}

// One gang of T4 sends 1 GB/s through an uplink of 1 GB/s, one of halves 0.5 through 0.5: two gangs
// on the same two nodes share each.
TEST(GroupSteps, UplinksAreThoseOfTheirNodes) {
  const ClusterConfig cluster = two_types();
  SharedLinks uplinks(cluster);
  const SharedLinks::Sending always{std::chrono::seconds{1}, std::chrono::seconds{1}};
  uplinks.load(attempt_on(1, {0, 4}, "bert-base"), always);
  uplinks.load(attempt_on(2, {1, 5}, "bert-base"), always);
  uplinks.load(attempt_on(3, {8, 10}, "bert-base"), always);
  uplinks.load(attempt_on(4, {9, 11}, "bert-base"), always);
  const auto share_of = [&](std::int64_t asked) {
    double found = 0.0;
    uplinks.share_out(uplinks.links_of(AttemptId{asked}),
                      [&](AttemptId id, const std::vector<LinkShare>& shares) {
                        if (id.value() == asked) found = shares.front().share;
                      });
    return found;
  };

  EXPECT_DOUBLE_EQ(share_of(1), 0.5);
  EXPECT_DOUBLE_EQ(share_of(3), 0.5);
}

}  // namespace
}  // namespace mimus::emulator::test
