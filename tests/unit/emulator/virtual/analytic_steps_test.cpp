// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/modelled_throughput.hpp"
#include "emulator/virtual/steps/collective_link.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

const std::vector<std::vector<int>> kPlaces{{0},    {0, 1}, {0, 1, 2, 3},
                                            {0, 4}, {0, 8}, {0, 1, 4, 8}};

TEST(AnalyticSteps, AgreeExactlyWithTheLiveEnginesModelWhenNothingIsShared) {
  const auto cluster = small_cluster();
  const auto steps = step_time("analytic", cluster);
  const ModelledThroughput live(cluster, catalogue());
  for (const auto& model : catalogue().names()) {
    for (const auto& gpus : kPlaces) {
      if (!catalogue().at(model).runs_on(static_cast<int>(gpus.size()))) continue;
      for (const int accumulation : {1, 3}) {
        auto attempt = attempt_on(1, gpus, model, catalogue().at(model).batch.per_gpu_min);
        attempt.batch.accumulation = accumulation;

        const auto cost = steps->step(attempt, {});

        EXPECT_EQ(cost.step, live.step_time(model, attempt.allocation, attempt.batch))
            << model << " on " << gpus.size() << " GPUs";
      }
    }
  }
}

TEST(AnalyticSteps, AskedAgainTheyAnswerTheSame) {
  const auto steps = step_time("analytic");
  const auto attempt = attempt_on(1, {0, 4}, "resnet50");

  const auto first = steps->step(attempt, {});

  EXPECT_EQ(steps->step(attempt, {}).step, first.step);
  EXPECT_EQ(steps->step(attempt_on(9, {5, 1}, "resnet50"), {}).step, first.step);
}

/// A machine type on which bert-base computes half as fast, on device and host.
ClusterConfig half_as_fast() {
  auto cluster = small_cluster();
  auto& gpu = cluster.gpu;
  auto host = kernels::host_work(catalogue().at("bert-base"), gpu);
  host.per_step *= 2;
  host.per_sample *= 2;
  gpu.models["bert-base"].host = host;
  for (auto* rate : {&gpu.fp32, &gpu.tf32, &gpu.fp16}) rate->value /= 2;
  gpu.memory_bandwidth.value /= 2;
  gpu.host_link.value /= 2;
  gpu.launch_gap *= 2;
  return cluster;
}

// So more communication hides behind computation.
TEST(AnalyticSteps, InterferenceSlowsComputationButNotTransfers) {
  for (const auto& gpus : kPlaces) {
    const auto attempt = attempt_on(1, gpus, "bert-base", 4);

    const auto shared = step_time("analytic")->step(attempt, {.interference = 2.0});

    const auto slow = step_time("analytic", half_as_fast())->step(attempt, {});
    EXPECT_NEAR(to_seconds(shared.step), to_seconds(slow.step), 1e-6);
    EXPECT_NEAR(to_seconds(shared.exposed_communication), to_seconds(slow.exposed_communication),
                1e-6);
  }
}

TEST(AnalyticSteps, HalfTheUplinkCostsWhatAClusterWithHalfTheNetworkCosts) {
  auto slow = small_cluster();
  slow.network.rate = BytesPerSecond{0.5e9};
  const auto attempt = attempt_on(1, {0, 4}, "bert-base", 4);

  const auto shared = step_time("analytic")->step(attempt, {.link_shares = {{0.5}}});

  EXPECT_EQ(shared.step, step_time("analytic", slow)->step(attempt, {}).step);
}

// Gangs of the same size whose fullest node has equally many GPUs, on two nodes and on three.
TEST(AnalyticSteps, GangsOnTwoNodesReachWhatTheNetworkSaysOfThem) {
  auto slower = small_cluster();
  slower.shape.nodes_per_rack = 4;
  auto half = slower;
  half.network.rate = BytesPerSecond{0.5e9};
  slower.network.effective_two_nodes = half.network.rate;
  const auto steps = step_time("analytic", slower);
  const auto on_two = attempt_on(1, {0, 1, 4, 5}, "bert-base", 4);
  const auto on_three = attempt_on(2, {0, 1, 4, 8}, "bert-base", 4);
  auto even = slower;
  even.network.effective_two_nodes.reset();

  EXPECT_EQ(steps->step(on_two, {}).step, step_time("analytic", half)->step(on_two, {}).step);
  EXPECT_EQ(steps->step(on_three, {}).step, step_time("analytic", even)->step(on_three, {}).step);
  EXPECT_EQ(ModelledThroughput(slower, catalogue())
                .step_time("bert-base", on_two.allocation, on_two.batch),
            steps->step(on_two, {}).step);
}

TEST(AnalyticSteps, AGangOnOneNodeMayHaveToShareTheLinksOfItsGpus) {
  auto slow = small_cluster();
  slow.gpu.island_link.effective = 0.1 * slow.gpu.island_link.reached();
  const auto attempt = attempt_on(1, {0, 1}, "bert-base", 4);
  const auto steps = step_time("analytic");

  EXPECT_EQ(steps->step(attempt, {.link_shares = {{0.1}}}).step,
            step_time("analytic", slow)->step(attempt, {}).step);
  EXPECT_GT(steps->transfers(attempt), Duration{});
}

// One that keeps the GPU busy takes as much longer as its kernels, one that waits for its host does
// not.
TEST(AnalyticSteps, TurnsOfOthersStretchKernelsWhileTheHostWorksOn) {
  const auto steps = step_time("analytic");
  const auto times = [&](const Attempt& attempt) {
    const double alone = to_seconds(steps->step(attempt, {}).step);
    return to_seconds(steps->step(attempt, {.device_stretch = 2.0}).step) / alone;
  };

  EXPECT_NEAR(times(attempt_on(1, {0}, "bert-base", 12)), 2.0, 0.02);
  EXPECT_NEAR(times(attempt_on(2, {0}, "neumf", 256)), 1.0, 0.05);
}

// Steps take 1 and 2 s, say: in half of the time one of the first is made per second, in the other
// half one of the others in two.
TEST(AnalyticSteps, TimeIsDividedAmongTheSharesThatAGangHasAtTimes) {
  const auto steps = step_time("analytic");
  const auto attempt = attempt_on(1, {0, 4}, "bert-base", 4);
  const double whole = to_seconds(steps->step(attempt, {}).step);
  const double half = to_seconds(steps->step(attempt, {.link_shares = {{0.5}}}).step);

  const auto both = steps->step(attempt, {.link_shares = {{0.5, 0.5}, {1.0, 0.5}}});

  EXPECT_NEAR(to_seconds(both.step), 2.0 / (1.0 / whole + 1.0 / half), 1e-8);
}

// Two replicas send 2·(2−1)/2·S = S bytes of gradients (and the buffers) per step over 1 GB/s.
TEST(AnalyticSteps, TransfersAreThoseOverTheUplink) {
  const auto steps = step_time("analytic");
  const auto attempt = attempt_on(1, {0, 4}, "bert-base", 4);
  const auto& model = catalogue().at("bert-base");
  const double seconds = (model.gradient_bytes().value + model.buffer_bytes.value) / 1e9;

  EXPECT_NEAR(to_seconds(steps->transfers(attempt)), seconds, 1e-8);
}

// A step of NeuMF is host work and launches: three further GPUs in use add 3 x contention x host.
TEST(AnalyticSteps, OtherGpusInUseOnTheNodeStretchHostWork) {
  const auto steps = step_time("analytic");
  const auto attempt = attempt_on(1, {0}, "neumf", 256);
  const auto host = catalogue().at("neumf").host_on("T4");
  const auto alone = steps->step(attempt, {}).step;

  const auto beside_three = steps->step(attempt, {.gpus_in_use = 4}).step;

  ASSERT_GT(host.contention, 0.0);
  EXPECT_NEAR(to_seconds(beside_three - alone), 3 * host.contention * to_seconds(host.of(256)),
              1e-6);
}

TEST(AnalyticSteps, CoresThatAreShortStretchHostWorkAlone) {
  const auto steps = step_time("analytic");
  const auto attempt = attempt_on(1, {0}, "neumf", 256);
  const auto host = catalogue().at("neumf").host_on("T4");
  const auto alone = steps->step(attempt, {}).step;

  EXPECT_NEAR(to_seconds(steps->step(attempt, {.core_load = 2.5}).step - alone),
              1.5 * to_seconds(host.of(256)), 1e-6);
  const auto slowed = steps->step(attempt, {.interference = 2.0, .core_load = 2.5}).step;
  EXPECT_GT(slowed, steps->step(attempt, {.interference = 2.0}).step);
}

TEST(AnalyticSteps, AGangsOwnGpusAreInUse) {
  const auto steps = step_time("analytic");
  const auto gang = attempt_on(1, {0, 1}, "neumf", 256);

  EXPECT_EQ(steps->step(gang, {.gpus_in_use = 2}).step, steps->step(gang, {}).step);
  EXPECT_GT(steps->step(gang, {.gpus_in_use = 3}).step, steps->step(gang, {}).step);
}

TEST(AnalyticSteps, HostsCanBeToldApart) {
  const auto steps = step_time("{name: analytic, shares_hosts: false}");

  EXPECT_FALSE(steps->shares_hosts());
  EXPECT_TRUE(step_time("analytic")->shares_hosts());
}

TEST(TreeLink, TakesTwiceTheDepthInLatencyAndTwiceTheBytes) {
  const kernels::GangLink link{BytesPerSecond{1e9}, std::chrono::microseconds{70}};

  const auto time = kernels::collective_time(kernels::CollectiveOp::all_reduce, Bytes{1e8}, 8,
                                             tree_link(link, 8));

  EXPECT_NEAR(to_seconds(time), 6 * 70e-6 + 2e8 / 0.92e9, 1e-8);
}

TEST(AnalyticSteps, TreesWinWhereLatencyRulesAndRingsWhereBandwidthDoes) {
  auto far = small_cluster();
  far.shape.nodes = 64;
  far.network_latency = std::chrono::milliseconds{1};
  std::vector<int> gpus;
  for (int node = 0; node < 64; ++node) gpus.push_back(4 * node);
  const auto attempt = attempt_on(1, gpus, "resnet18", 32);
  const auto near = attempt_on(1, {0, 4}, "bert-base", 4);

  const auto ring = step_time("analytic", far);
  const auto tree = step_time("{name: analytic, collective: tree}", far);
  const auto best = step_time("{name: analytic, collective: best}", far);

  EXPECT_LT(tree->step(attempt, {}).step, ring->step(attempt, {}).step);
  EXPECT_EQ(best->step(attempt, {}).step, tree->step(attempt, {}).step);
  EXPECT_LT(ring->step(near, {}).step, tree->step(near, {}).step);
  EXPECT_EQ(best->step(near, {}).step, ring->step(near, {}).step);
}

TEST(AnalyticSteps, RefuseJobsWithoutOrWithAnUnknownModel) {
  const auto steps = step_time("analytic");
  workloads::Job job;
  job.id = JobId{3};
  EXPECT_THAT(message_of([&] { steps->check(job); }), testing::HasSubstr("job 3"));
  job.model = "resnet51";
  EXPECT_THAT(message_of([&] { steps->check(job); }), testing::HasSubstr("resnet50"));
}

}  // namespace
}  // namespace mimus::emulator::test
