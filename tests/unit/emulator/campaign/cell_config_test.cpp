// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

using test::config_error;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Cell cell_with(const std::vector<std::pair<std::string, std::string>>& settings) {
  ConfigNode document = parse_yaml(test::kOneCell, "cell.yaml");
  for (const auto& [path, yaml] : settings) set_path(document, path, parse_yaml(yaml, path));
  return test::cell_of(resolved_cell(document));
}

CellConfig read_config(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  return read_cell(cell_with(settings), workloads::ModelCatalogue::built_in());
}

CellFacts inspect(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  return test::inspected(cell_with(settings), workloads::ModelCatalogue::built_in());
}

std::string error_of(const std::vector<std::pair<std::string, std::string>>& settings) {
  return config_error([&] { (void)inspect(settings); });
}

TEST(CellConfig, ClusterValuesArriveInTheirUnits) {
  const CellConfig config =
      read_config({{"cluster.gpus_per_island", "2"}, {"cluster.storage", "2 GB/s"}});

  EXPECT_EQ(config.cluster.shape.gpus(), 8);
  EXPECT_EQ(config.cluster.shape.gpus_per_island, 2);
  EXPECT_EQ(config.cluster.shape.gpu_type, "T4");
  EXPECT_DOUBLE_EQ(config.cluster.network.rate.value, 25e9 / 8.0);
  EXPECT_DOUBLE_EQ(config.cluster.storage.value, 2e9);
  EXPECT_EQ(config.cluster.network_latency, std::chrono::microseconds(20));
}

TEST(CellConfig, SaysHowItsJobsLearn) {
  using Rule = scheduler::LearningRate::Rule;
  EXPECT_EQ(read_config().learning.rate.rule, Rule::adascale);
  const CellConfig config = read_config({{"policy.batch", "{name: linear, learning_rate: sqrt}"},
                                         {"workload.training", "{learning_rate: 0.5}"}});
  EXPECT_EQ(config.learning.rate.rule, Rule::sqrt);
  EXPECT_EQ(config.learning.initial, 0.5);
  EXPECT_THAT(error_of({{"workload.training", "{learning_rate: 2}"}}),
              HasSubstr("workload.training.learning_rate"));
}

// T4 nodes: 5.2 of 50 Gbit/s, and 3.7 for gangs on two nodes.
TEST(CellConfig, GangsOnTwoNodesReachWhatTheNetworkSaysOfThem) {
  const auto reached = [](const std::string& network, int nodes) {
    const auto link = read_config({{"cluster.network", network}}).cluster.network;
    return link.reached_on(nodes).value * 8e-9;
  };

  EXPECT_DOUBLE_EQ(reached("100 Gbit/s", 2), 7.4);
  EXPECT_DOUBLE_EQ(reached("100 Gbit/s", 3), 10.4);
  EXPECT_DOUBLE_EQ(reached("2 Gbit/s", 2), 2.0);
  EXPECT_DOUBLE_EQ(reached("{rate: 50 Gbit/s, effective: 4 Gbit/s}", 2), 4.0);
  EXPECT_DOUBLE_EQ(
      reached("{rate: 50 Gbit/s, effective: 4 Gbit/s, effective_two_nodes: 3 Gbit/s}", 2), 3.0);
  EXPECT_DOUBLE_EQ(reached("{rate: 50 Gbit/s, effective_two_nodes: 3 Gbit/s}", 2), 3.0);
  EXPECT_THROW(
      (void)reached("{rate: 50 Gbit/s, effective: 4 Gbit/s, effective_two_nodes: 5 Gbit/s}", 2),
      ConfigError);
  EXPECT_THROW((void)read_config({{"cluster.intra_node",
                                   "{rate: 1 GB/s, effective_two_nodes: "
                                   "1 GB/s}"}}),
               ConfigError);
}

TEST(CellConfig, GpuMemoryIsTheDatasheetsUnlessGiven) {
  EXPECT_EQ(read_config().cluster.shape.gpu_memory, kernels::gpu_spec("T4").memory);
  EXPECT_DOUBLE_EQ(read_config({{"cluster.gpu_memory", "12 GB"}}).cluster.shape.gpu_memory.value,
                   12e9);
}

TEST(CellConfig, EngineValuesArriveInTheirUnits) {
  const CellConfig config = read_config({{"engine.time_scale", "60"}, {"engine.pace", "none"}});

  EXPECT_DOUBLE_EQ(config.engine.time_scale, 60.0);
  EXPECT_EQ(config.engine.pace, EngineConfig::Pace::none);
  EXPECT_EQ(config.engine.min_step_wall, std::chrono::milliseconds(25));
  EXPECT_EQ(config.engine.stage_timeout, std::chrono::seconds(30));
}

TEST(CellConfig, TheSpeedOfTheClockMayBeLeftToTheHost) {
  using Clock = EngineConfig::Clock;
  EXPECT_EQ(read_config({{"engine.time_scale", "7"}}).engine.clock, Clock::wall);

  const EngineConfig cut_as_at_7 =
      read_config({{"engine.time_scale", "7"}, {"engine.clock", "unbound"}}).engine;
  EXPECT_EQ(cut_as_at_7.clock, Clock::unbound);
  EXPECT_DOUBLE_EQ(cut_as_at_7.time_scale, 7.0);

  const EngineConfig max = read_config({{"engine.time_scale", "max"}}).engine;
  EXPECT_EQ(max.clock, Clock::unbound);
  EXPECT_DOUBLE_EQ(max.time_scale, 60.0);
}

TEST(CellConfig, WhatIsNotPacedTakesItsTime) {
  EXPECT_THROW((void)read_config({{"engine.time_scale", "max"}, {"engine.pace", "none"}}),
               ConfigError);
  EXPECT_THROW((void)read_config({{"engine.clock", "unbound"}, {"engine.pace", "none"}}),
               ConfigError);
}

TEST(CellConfig, RecordLevelIsRead) {
  EXPECT_EQ(read_config().record, results::RecordLevel::full);
  EXPECT_EQ(read_config({{"record", "jobs"}}).record, results::RecordLevel::jobs);
  EXPECT_EQ(read_config({{"record", "summary"}}).record, results::RecordLevel::summary);
}

TEST(CellFacts, OneWorkerPerLaneOfEveryGpu) {
  const CellFacts alone = inspect();
  const CellFacts shared =
      inspect({{"policy.sharing", "{name: tenants, per_gpu: 3}"},
               {"workload.jobs", "[&job {model: resnet18, samples: 1}, *job, *job]"}});

  EXPECT_EQ(alone.workers, 8);
  EXPECT_EQ(shared.lanes_per_gpu, 3);
  EXPECT_EQ(shared.workers, 24);
}

TEST(CellFacts, WallEstimateShrinksWithTheTimeScale) {
  const Duration slow = inspect({{"engine.time_scale", "1"}}).wall_estimate;
  const Duration fast = inspect({{"engine.time_scale", "10"}}).wall_estimate;

  EXPECT_NEAR(to_seconds(slow), 10.0 * to_seconds(fast), 1e-6);
}

/// A single job cannot end before it has arrived and processed its samples. 100,000 samples at
/// M₀ = 128 are 781.25 steps, and a T4 takes more than 50 ms for one (Pollux measured 104 ms).
TEST(CellFacts, WallEstimateCoversArrivalAndSteps) {
  const CellFacts late =
      inspect({{"workload.jobs", "[{model: resnet18, samples: 100000, arrival: 10 min}]"}});

  EXPECT_GT(to_seconds(late.wall_estimate), 600.0 + 781.25 * 0.05);
  EXPECT_LT(to_seconds(late.wall_estimate), 600.0 + 781.25 * 0.2 + 60.0);
}

TEST(CellFacts, WallEstimateCoversWorkThatHasToQueue) {
  std::string jobs = "[";
  for (int i = 0; i < 80; ++i) jobs += "{model: resnet18, samples: 100000},";  // 10 per GPU
  const double one = to_seconds(inspect().wall_estimate);

  const double all = to_seconds(inspect({{"workload.jobs", jobs + "]"}}).wall_estimate);

  EXPECT_GT(all, 5.0 * one);
}

TEST(CellFacts, RackNetworkWithinOneRackIsNotedAsWithoutEffect) {
  const auto notes = inspect({{"cluster.rack_network", "10 Gbit/s"}}).notes;

  EXPECT_THAT(notes, ElementsAre(HasSubstr("cluster.rack_network has no effect")));
}

TEST(CellFacts, RackNetworkBetweenRacksIsNotNoted) {
  EXPECT_THAT(
      inspect({{"cluster.rack_network", "10 Gbit/s"}, {"cluster.nodes_per_rack", "1"}}).notes,
      IsEmpty());
}

TEST(CellFacts, AnEstimateThatIsNotAskedForIsNoted) {
  EXPECT_THAT(
      inspect({{"policy.order", "las"}, {"policy.estimate", "oracle"}}).notes,
      ElementsAre(HasSubstr(
          "policy.estimate has no effect: no other choice of \"las/pack/exclusive/fixed/oracle\" "
          "uses estimates")));
  EXPECT_THAT(inspect({{"policy", "{preset: sjf-true, order: fifo}"}}).notes,
              ElementsAre(HasSubstr("policy.estimate has no effect")));
  EXPECT_THAT(inspect({{"policy.order", "sjf"}, {"policy.estimate", "oracle"}}).notes, IsEmpty());
  EXPECT_THAT(inspect({{"policy.batch", "goodput"}, {"policy.estimate", "profile"}}).notes,
              IsEmpty());
}

// resnet18 takes 32 to 1024 per GPU and 4096 in all.
TEST(CellFacts, ABatchThatNoModelTakesIsNoted) {
  const auto notes = [](const std::string& job) {
    return inspect({{"workload.jobs", "[{name: a, model: resnet18, samples: 1e5, " + job + "}]"}})
        .notes;
  };

  EXPECT_THAT(notes("batch: 5000"),
              ElementsAre(HasSubstr("train with one inside; the first: job \"a\" asks for 5000 "
                                    "samples, but resnet18 takes 32 to 4096 on 1 GPU")));
  EXPECT_THAT(notes("gang: 8, batch: 64"), ElementsAre(HasSubstr("takes 256 to 4096 on 8 GPUs")));
  EXPECT_THAT(notes("batch: 4096"), IsEmpty());
  EXPECT_THAT(notes("gang: 8, batch: 256"), IsEmpty());
}

TEST(CellCheck, AWorkloadWithoutJobsSaysWhatLeftThemOut) {
  const test::CampaignFolder folder;
  const std::string trace = folder.write("trace.csv",
                                         "name,gang,arrival,run_time\n"
                                         "a,1,0,60\nb,1,10,60\nc,1,7200,60\n");

  for (const std::string kind : {"live", "virtual"}) {
    EXPECT_THAT(error_of({{"workload", "{source: csv, path: " + trace +
                                           ", from: 1 h, until: 2 h, models: [{model: resnet18}]}"},
                          {"engine.kind", kind}}),
                testing::AllOf(HasSubstr("workload: yields no job: dropped 2 of 3 rows: from: "),
                               HasSubstr("dropped 1 of 3 rows: until: ")));
  }
}

TEST(CellCheck, GangLargerThanTheClusterIsRefused) {
  EXPECT_THAT(error_of({{"workload.jobs", "[{model: resnet18, gang: 9, samples: 1000}]"}}),
              HasSubstr("asks for 9 GPUs, but the cluster has 8"));
}

TEST(CellCheck, GangOfBrokenReplicasIsRefused) {
  EXPECT_THAT(
      error_of({{"workload.jobs", "[{name: a, model: gpt@t2p2, gang: 6, samples: 1000}]"}}),
      HasSubstr("job \"a\" asks for 6 GPUs, but a replica of gpt@t2p2 takes 4; request a multiple "
                "of that"));
}

TEST(CellCheck, HeadsThatNoFusedKernelTakesAreRefused) {
  auto models = workloads::ModelCatalogue::built_in();
  workloads::Model wide = models.at("bert-base");
  wide.name = "wide";
  for (workloads::Layer& layer : wide.layers) {
    for (std::int64_t* side : {&layer.gemm.columns, &layer.gemm.inner}) {
      if (*side == 64) *side = 80;
    }
  }
  models.add(wide);
  const auto error_with = [&](const char* attention) {
    return config_error([&] {
      (void)test::inspected(cell_with({{"workload.jobs", "[{model: wide, samples: 1000}]"},
                                       {"engine.device", "cuda"},
                                       {"engine.cuda.attention", attention}}),
                            models);
    });
  };

  EXPECT_THAT(error_with("sdpa"), HasSubstr("workload: model \"wide\", layer"));
  EXPECT_THAT(error_with("sdpa"), HasSubstr("heads of 80 features"));
  EXPECT_THAT(error_with("eager"), testing::Not(HasSubstr("heads of 80 features")));
}

TEST(CellCheck, UnknownModelIsRefusedWithTheNearestMatch) {
  EXPECT_THAT(error_of({{"workload.jobs", "[{model: resnet19, samples: 1000}]"}}),
              HasSubstr("did you mean \"resnet18\"?"));
}

TEST(CellCheck, ModelThatNeverFitsTheGpuIsRefused) {
  EXPECT_THAT(error_of({{"cluster.gpu_memory", "1 GB"}}),
              HasSubstr("but a T4 has 1 GB; leave the model out or choose another cluster.gpu"));
}

TEST(CellCheck, GoodputWithoutAnEstimateIsRefused) {
  EXPECT_THAT(error_of({{"policy.batch", "goodput"}, {"policy.estimate", "none"}}),
              HasSubstr("policy.estimate"));
}

TEST(CellCheck, GoodputAloneTakesTheEstimateItNeeds) {
  EXPECT_EQ(error_of({{"policy.batch", "goodput"}}), "no error");
}

TEST(CellCheck, NcclNeedsCuda) {
  EXPECT_THAT(error_of({{"engine.collective", "nccl"}}), HasSubstr("engine.collective: "));
  EXPECT_EQ(error_of({{"engine.collective", "nccl"}, {"engine.device", "cuda"}}), "no error");
}

}  // namespace
}  // namespace mimus::emulator
