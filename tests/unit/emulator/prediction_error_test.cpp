// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/prediction_error.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/bench/held_out_models.hpp"

namespace mimus::emulator {
namespace {

using ::testing::HasSubstr;

// 5 for 4 and 3 for 4 are 25 % off, 8 for 4 is not; factors 1.25, 1.333 and 2.
TEST(PredictionError, CountsWhatIsWithinAQuarter) {
  const std::vector<Prediction> predictions{{5, 4}, {3, 4}, {8, 4}};
  const PredictionError error = error_of(predictions);

  EXPECT_DOUBLE_EQ(error.within_quarter, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(error.median_factor, 4.0 / 3.0);
  const double logs[] = {std::log(6.0 / 5.0), std::log(4.0 / 5.0), std::log(9.0 / 5.0)};
  EXPECT_NEAR(error.rmsle,
              std::sqrt((logs[0] * logs[0] + logs[1] * logs[1] + logs[2] * logs[2]) / 3), 1e-12);
}

/// Jobs of one user that come every 100 s and run for these times [s].
workloads::Workload jobs_of(const std::vector<double>& run_times) {
  workloads::Workload workload;
  for (const double run_time : run_times) {
    workloads::Job job;
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.arrival = Instant{from_seconds(100.0 * static_cast<double>(workload.jobs.size()))};
    job.run_time = from_seconds(run_time);
    workload.jobs.push_back(job);
  }
  return workload;
}

PredictionError error_of_mean(const workloads::Workload& workload, double held_out) {
  const auto estimate =
      scheduler::estimate_choices({}).make(parse_yaml("{name: history, by: []}", "test"), "test");
  return run_time_error(workload, workloads::ModelCatalogue::built_in(), {}, *estimate,
                        from_seconds(held_out));
}

// The fourth job, at 300 s, is predicted from the first two, which ended at 10 and 150 s: 30 s. The
// third ends at 400 s only.
TEST(RunTimeError, LearnsFromJobsThatHaveEndedAndFromNoOther) {
  const PredictionError error = error_of_mean(jobs_of({10, 50, 200, 30}), 50);

  EXPECT_EQ(error.predictions, 1U);
  EXPECT_NEAR(error.rmsle, 0.0, 1e-9);
  EXPECT_EQ(error.within_quarter, 1.0);
  EXPECT_EQ(error.missing, 0U);
}

TEST(RunTimeError, CountsJobsOfWhichNothingIsBelieved) {
  const PredictionError error = error_of_mean(jobs_of({900, 900, 900}), 150);

  EXPECT_EQ(error.predictions, 2U);
  EXPECT_EQ(error.missing, 2U);
  EXPECT_DOUBLE_EQ(error.median_factor, 900.0);
}

TEST(RunTimeError, RefusesToHoldOutEverything) {
  try {
    (void)error_of_mean(jobs_of({1, 1}), 100);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nothing to learn from"));
  }
}

// With their own profiles the trees know a model's utilisation to a few points.
TEST(HeldOutModels, AreKnownBetterWithTheirOwnProfiles) {
  for (const ModelPredictions& model :
       held_out_models(workloads::ModelCatalogue::built_in(), "T4")) {
    EXPECT_LT(mean_difference(model.known_utilisation), 10.0) << model.model;
    EXPECT_EQ(model.memory.size(), model.utilisation.size());
  }
}

}  // namespace
}  // namespace mimus::emulator
