// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/training_request.hpp"

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

Model model_with(BatchLimits batch) {
  Model model;
  model.batch = batch;
  model.reference_throughput = 50.0;
  model.epoch_samples = 1000.0;
  model.epochs = 4.0;
  return model;
}

Work read(const std::string& yaml) {
  const ConfigNode node = parse_yaml(yaml, "j.yaml");
  YamlReader reader(node, "job");
  return read_fields(work_fields(), reader).work(reader);
}

// By published rates: 50 samples/s * 2 GPUs * 120 s.
TEST(TrainingRequest, WorkIsSamplesRunTimeOrShareOfTheTraining) {
  const Model model = model_with({});
  EXPECT_DOUBLE_EQ(read("{samples: 70}").samples(model, 2, 8, RunTimes{}), 70.0);
  EXPECT_DOUBLE_EQ(read("{duration: 2 min}").samples(model, 2, 8, RunTimes{}), 12000.0);
  EXPECT_DOUBLE_EQ(read("{fraction: 0.25}").samples(model, 2, 8, RunTimes{}), 1000.0);
}

TEST(TrainingRequest, WorkIsStatedExactlyOnce) {
  const std::string message =
      "j.yaml:1:1: job: state the work once: as \"samples\", as \"duration\" on the gang, or as "
      "\"fraction\" of the published training";
  EXPECT_EQ(test::message_of([] { (void)read("{}"); }), message);
  EXPECT_EQ(test::message_of([] { (void)read("{samples: 1, fraction: 1}"); }), message);
}

TEST(TrainingRequest, ReferenceBatchIsKeptUnlessAGpuWouldStarve) {
  const Model model =
      model_with({.reference = 12, .per_gpu_min = 4, .per_gpu_max = 12, .total_max = 384});
  EXPECT_EQ(total_batch(model, 1, BatchChoice::reference), 12);
  EXPECT_EQ(total_batch(model, 3, BatchChoice::reference), 12);
  EXPECT_EQ(total_batch(model, 8, BatchChoice::reference), 32);
}

TEST(TrainingRequest, ScaledBatchGrowsWithTheGangWithinBothLimits) {
  const Model model =
      model_with({.reference = 256, .per_gpu_min = 32, .per_gpu_max = 100, .total_max = 500});
  EXPECT_EQ(total_batch(model, 1, BatchChoice::scaled), 100);  // per GPU
  EXPECT_EQ(total_batch(model, 3, BatchChoice::scaled), 300);
  EXPECT_EQ(total_batch(model, 8, BatchChoice::scaled), 500);  // in total
}

TEST(TrainingRequest, EveryGpuGetsAtLeastOneSample) {
  const Model model =
      model_with({.reference = 2, .per_gpu_min = 1, .per_gpu_max = 2, .total_max = 4});
  EXPECT_EQ(total_batch(model, 9, BatchChoice::reference), 9);
  EXPECT_EQ(total_batch(model, 9, BatchChoice::scaled), 9);
}

}  // namespace
}  // namespace mimus::workloads
