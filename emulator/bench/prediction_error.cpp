// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/prediction_error.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "emulator/testbed/job_views.hpp"

namespace mimus::emulator {
namespace {

/// A job that runs since its submission.
struct Running {
  Instant end;
  scheduler::JobView view;  ///< with the time that it will have taken
  bool operator>(const Running& other) const {
    return std::tuple(end, view.id) > std::tuple(other.end, other.view.id);
  }
};
using RunningJobs = std::priority_queue<Running, std::vector<Running>, std::greater<>>;

scheduler::JobView view_of(const workloads::Job& job, const workloads::ModelCatalogue& models,
                           JobViews& views) {
  JobTruth truth{workloads::Job(job)};
  truth.model = job.model.empty() ? nullptr : models.find(job.model);
  scheduler::JobView view;
  views.fill(view, truth, job.arrival);
  view.requested_gang = view.gang;
  return view;
}

Instant first_held_out(const workloads::Workload& workload, Duration held_out) {
  if (workload.jobs.empty()) throw UsageError("the workload has no jobs");
  const Instant begin = workload.jobs.front().arrival, end = workload.jobs.back().arrival;
  if (end - held_out <= begin) {
    throw UsageError(
        fmt::format("nothing to learn from: jobs arrive over {}, of which {} are held out",
                    format_duration(end - begin), format_duration(held_out)));
  }
  return end - held_out;
}

}  // namespace

PredictionError error_of(std::span<const Prediction> predictions) {
  PredictionError error;
  error.predictions = predictions.size();
  if (predictions.empty()) return error;
  std::vector<double> factors;
  double squares = 0.0;
  std::size_t near = 0;
  for (const auto& [predicted, actual] : predictions) {
    constexpr double kQuarter = 0.25 + 1e-12;
    near += std::abs(predicted / actual - 1.0) <= kQuarter ? 1U : 0U;
    factors.push_back(std::exp(std::abs(std::log(predicted / actual))));
    const double logs = std::log1p(predicted) - std::log1p(actual);
    squares += logs * logs;
  }
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2);
  std::nth_element(factors.begin(), middle, factors.end());
  const auto count = static_cast<double>(predictions.size());
  error.within_quarter = static_cast<double>(near) / count;
  error.median_factor = *middle;
  error.rmsle = std::sqrt(squares / count);
  return error;
}

PredictionError run_time_error(const workloads::Workload& workload,
                               const workloads::ModelCatalogue& models,
                               const workloads::RunTimes& run_times, scheduler::Estimator& estimate,
                               Duration held_out) {
  const Instant first = first_held_out(workload, held_out);
  JobViews views;
  RunningJobs running;
  std::vector<Prediction> predictions;
  std::size_t missing = 0;
  for (const workloads::Job& job : workload.jobs) {
    const Duration run_time = run_times.of(job, models);
    if (run_time <= Duration::zero()) continue;
    for (; !running.empty() && running.top().end <= job.arrival; running.pop()) {
      estimate.learn(running.top().view, running.top().end);
    }
    scheduler::JobView view = view_of(job, models, views);
    if (job.arrival >= first) {
      const auto believed = estimate.run_time(view);
      missing += believed ? 0U : 1U;
      predictions.push_back({std::max(1.0, to_seconds(believed.value_or(Duration::zero()))),
                             std::max(1.0, to_seconds(run_time))});
    }
    view.attained_time = scheduler::WideDuration(run_time) * view.gang;
    running.push({job.arrival + run_time, std::move(view)});
  }
  if (predictions.empty()) throw UsageError("no job that is held out has a known run time");
  PredictionError error = error_of(predictions);
  error.missing = missing;
  return error;
}

}  // namespace mimus::emulator
