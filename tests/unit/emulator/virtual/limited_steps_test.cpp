// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model_builders.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

// Four steps at half of the device's time, and then six at all of it.
TEST(LimitedSteps, AreNotTakenForStepsAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.h5");
  results::Recorder recorder(path, {}, results::RecordLevel::full);
  results::JobRow job;
  job.job = 0;
  job.model = "resnet50";
  recorder.add(job);
  results::AttemptRow attempt;
  attempt.attempt = attempt.job = 0;
  attempt.shape = "1";
  attempt.replicas = attempt.accumulation = 1;
  attempt.per_gpu_batch = 64;
  recorder.add(attempt);
  recorder.add(results::LimitRow{.attempt = 0, .job = 0, .begin = 10.0, .end = 13.2, .cap = 0.5});
  results::StepRow steps;
  steps.attempt = steps.job = 0;
  steps.total_batch = 64;
  for (const auto& [begin, end, count] : {std::tuple{10.0, 13.2, 4}, {13.2, 15.6, 6}}) {
    steps.begin = begin;
    steps.end = end;
    steps.steps = count;
    steps.step_mean = (end - begin) / count;
    recorder.add(steps);
  }
  recorder.complete();

  const auto measured = step_time("{name: measured, profile: \"" + path + "\"}");
  const auto cost = measured->step(attempt_on(1, {0}, "resnet50", 64), {});

  EXPECT_NEAR(to_seconds(cost.step), 0.4, 1e-9);
}

}  // namespace
}  // namespace mimus::emulator::test
