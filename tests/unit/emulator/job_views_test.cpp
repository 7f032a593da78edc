// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_views.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

// Largest tensors: ResNet-50 has 512 × 512 × 3 × 3 of 25,557,032 elements, NeuMF on MovieLens-20M
// an embedding of its 138,493 users in the 128 features of its perceptron.
TEST(ModelFacts, SayHowMuchOfAModelIsItsLargestTensor) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto& neumf = models.at("neumf-ml20m");

  EXPECT_DOUBLE_EQ(facts_of(models.at("resnet50")).tensor_skew, 512.0 * 512 * 9 / 25'557'032);
  EXPECT_DOUBLE_EQ(facts_of(neumf).tensor_skew,
                   138'493.0 * 128 / static_cast<double>(neumf.parameters()));
}

// 100 epochs on a data set of its own size, to a fifth of the first loss.
TEST(JobViews, ShowTheDataSetAndTheTargetOfAJob) {
  const auto models = workloads::ModelCatalogue::built_in();
  JobTruths truths(models);
  workloads::Job job;
  job.model = "resnet18";
  job.work_samples = 12800.0;
  scheduler::JobView view;
  JobViews().fill(view, truths.arrive(std::move(job), false), Instant{});

  EXPECT_DOUBLE_EQ(view.epoch_samples, 128.0);
  EXPECT_DOUBLE_EQ(view.model.target_loss, 0.2);
}

}  // namespace
}  // namespace mimus::emulator
