// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/oracle/model_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "emulator/rated_speed.hpp"
#include "emulator/testbed/job_views.hpp"
#include "emulator/virtual/oracle/packed_slots.hpp"
#include "scheduler/batch/batch_split.hpp"

namespace mimus::emulator {
namespace {

constexpr int kParts = 1000;

}  // namespace

ModelOracle::ModelOracle(const ClusterConfig& cluster, const StepTimeModel& steps,
                         const workloads::ModelCatalogue& models, JobLookup jobs,
                         const LearningTruth& learning)
    : cluster_(cluster),
      steps_(steps),
      models_(models),
      jobs_(std::move(jobs)),
      learning_(learning) {}

const workloads::Model* ModelOracle::model_of(const workloads::Job& job) const {
  return steps_.counts_run_time() ? nullptr : models_.find(job.model);
}

scheduler::GpuTypes ModelOracle::types_of(const workloads::Job& job) const {
  if (job.gpu_types.empty()) return scheduler::kAllTypes;
  scheduler::GpuTypes types = 0;
  for (const std::string& name : job.gpu_types) {
    if (const auto type = cluster_.shape.type_named(name)) types |= scheduler::only_type(*type);
  }
  return types;
}

/// The job alone on the first GPUs of an empty cluster, of the first type that it may use.
Attempt ModelOracle::packed(const workloads::Job& job, int gpus) const {
  Attempt attempt;
  attempt.job = job.id;
  attempt.model = model_of(job);
  attempt.allocation.slots = packed_slots(cluster_.shape, gpus, types_of(job));
  attempt.speed = rated_speed(job, cluster_.shape, attempt.allocation.slots);
  if (attempt.model != nullptr) {
    const Bytes memory = memory_of_first(cluster_.shape, attempt.allocation.slots);
    attempt.batch =
        scheduler::split_batch(job.total_batch, gpus, limits_of(*attempt.model, memory));
  }
  return attempt;
}

/// Kept, because policies ask about every job again and again, and a model has many layers.
const scheduler::BatchLimits& ModelOracle::limits_of(const workloads::Model& model,
                                                     Bytes memory) const {
  const auto [found, is_new] = limits_.try_emplace({&model, memory.value});
  if (is_new) found->second = scheduler::limits_within(facts_of(model), memory);
  return found->second;
}

const ModelOracle::Course& ModelOracle::course(const workloads::Model& model,
                                               const workloads::Job& job) const {
  const bool warms_up = learning_.rate.warm_up > 0.0;
  Course& sums = courses_[{&model, job.total_batch, warms_up ? job.work_samples : 0.0}];
  if (!sums.empty()) return sums;
  const Attempt attempt = packed(job, job.gang);
  const auto batch = static_cast<double>(job.total_batch);
  const auto reference = static_cast<double>(model.batch.reference);
  sums.push_back(0.0);
  for (int part = 0; part < kParts; ++part) {
    const double middle = (part + 0.5) / kParts;
    const auto measured = steps_.noise_scale(attempt, middle);
    const double noise = measured ? measured->scale : model.noise_scale.at(middle);
    const double gain = learning_.gain(noise, reference, batch, middle * job.work_samples);
    sums.push_back(sums.back() + 1.0 / (gain * kParts));
  }
  return sums;
}

double ModelOracle::steps_between(const workloads::Model& model, const workloads::Job& job,
                                  double from_samples) const {
  const Course& sums = course(model, job);
  const double done = std::clamp(from_samples / job.work_samples, 0.0, 1.0) * kParts;
  const auto part = static_cast<std::size_t>(std::min(done, kParts - 1.0));
  const double here = sums[part] + (done - std::floor(std::min(done, kParts - 1.0))) *
                                       (sums[part + 1] - sums[part]);
  return (sums.back() - here) * job.work_samples;
}

std::optional<Duration> ModelOracle::run_time(JobId id) const {
  const workloads::Job& job = jobs_.job(id);
  if (!type_with(cluster_.shape, job.gang, types_of(job))) return std::nullopt;
  if (steps_.counts_run_time()) {
    const Duration recorded =
        job.run_time > Duration{} ? job.run_time : from_seconds(job.work_samples);
    const Duration second = steps_.step(packed(job, job.gang), Surroundings{}).step;
    return second == std::chrono::seconds{1} ? recorded : scale(recorded, to_seconds(second));
  }
  const auto* model = model_of(job);
  const auto step = step_time(id, job.gang);
  if (model == nullptr || !step) return std::nullopt;
  const double steps = steps_between(*model, job, 0.0);
  return std::isfinite(steps) ? std::optional(scale(*step, steps)) : std::nullopt;
}

std::optional<double> ModelOracle::steps_left(JobId id) const {
  const workloads::Job& job = jobs_.job(id);
  const auto* model = model_of(job);
  if (model == nullptr) return std::nullopt;
  const double done = jobs_.samples_done(id);
  const auto counted = steps_.steps_left(job, done / job.work_samples);
  if (counted) return counted;
  const double steps = steps_between(*model, job, done);
  return std::isfinite(steps) ? std::optional(steps) : std::nullopt;
}

std::optional<Duration> ModelOracle::step_time(JobId id, int gpus) const {
  const workloads::Job& job = jobs_.job(id);
  const auto* model = model_of(job);
  if (model == nullptr || gpus < 1 || gpus > most_gpus(id)) return std::nullopt;
  if (!model->runs_on(gpus)) return std::nullopt;
  return steps_.step(packed(job, gpus), Surroundings{}).step;
}

int ModelOracle::most_gpus(JobId id) const {
  const workloads::Job& job = jobs_.job(id);
  const auto* model = model_of(job);
  if (model == nullptr) return job.gang;
  const std::int64_t by_batch = job.total_batch / model->batch.per_gpu_min;
  return static_cast<int>(std::clamp<std::int64_t>(by_batch, 1, cluster_.shape.gpus()));
}

}  // namespace mimus::emulator
