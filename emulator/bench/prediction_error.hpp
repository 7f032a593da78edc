// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scheduler/estimate/estimator.hpp"
#include "workloads/jobs/job_stream.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Errors of predictions.
struct PredictionError {
  std::size_t predictions = 0;
  std::size_t missing = 0;      ///< without a prediction; they count as 1 s
  double within_quarter = 0.0;  ///< share of |predicted ÷ actual − 1| ≤ 0.25 (PAI, NSDI'22)
  double median_factor = 1.0;   ///< by which a prediction is too high or too low
  double rmsle = 0.0;           ///< √(mean of (ln(1 + predicted) − ln(1 + actual))²) (Horus)
};

struct Prediction {
  double predicted = 0.0;
  double actual = 0.0;  ///< > 0
};
[[nodiscard]] PredictionError error_of(std::span<const Prediction> predictions);

/// Run times of the jobs that are submitted in the last `held_out` of a workload, each predicted
/// when it is submitted. `estimate` learns from the jobs that have ended by then, as if each had
/// started when it was submitted. Jobs whose run time is not known are left out. Throws UsageError
/// if nothing is left to predict, or nothing to learn from.
[[nodiscard]] PredictionError run_time_error(const workloads::Workload& workload,
                                             const workloads::ModelCatalogue& models,
                                             const workloads::RunTimes& run_times,
                                             scheduler::Estimator& estimate, Duration held_out);

}  // namespace mimus::emulator
