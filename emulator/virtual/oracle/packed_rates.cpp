// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/oracle/packed_rates.hpp"

#include <algorithm>
#include <utility>

#include "emulator/testbed/job_views.hpp"
#include "emulator/virtual/oracle/packed_slots.hpp"
#include "emulator/virtual/steps/analytic_steps.hpp"
#include "scheduler/batch/batch_split.hpp"

namespace mimus::emulator {
PackedRates::PackedRates(ClusterConfig cluster, const workloads::ModelCatalogue& models,
                         MakeSteps make_steps)
    : cluster_(std::move(cluster)), models_(models), make_steps_(std::move(make_steps)) {}

PackedRates::PackedRates(const ClusterConfig& cluster, const workloads::ModelCatalogue& models)
    : PackedRates(cluster, models, [cluster, &models] {
        return std::make_unique<AnalyticSteps>(StepTimeInputs{cluster, &models},
                                               AnalyticSteps::Settings{});
      }) {}

double PackedRates::samples_per_second(const workloads::Model& model, int gang,
                                       std::int64_t total_batch) const {
  const auto [entry, is_new] = known_.try_emplace({&model, gang, total_batch});
  if (is_new) entry->second = rate_of(model, gang, total_batch);
  return entry->second;
}

/// A gang that does not consist of whole replicas of a split model, or has a second one of a
/// solver, cannot run. It is refused later.
double PackedRates::rate_of(const workloads::Model& model, int gang,
                            std::int64_t total_batch) const {
  const int replica = model.split.gpus();
  const int gpus = model.grid.used() ? replica : std::max(1, gang / replica) * replica;
  Attempt attempt;
  attempt.model = &model;
  attempt.allocation.slots = packed_slots(cluster_.shape, gpus);
  attempt.requested_batch = total_batch;
  const Bytes memory = memory_of_first(cluster_.shape, attempt.allocation.slots);
  const auto limits = scheduler::limits_within(facts_of(model), memory);
  attempt.batch = scheduler::split_batch(total_batch, gpus, limits);
  const auto total = static_cast<double>(attempt.batch.total(attempt.allocation.slots.size()));
  const auto reference = static_cast<double>(model.batch.reference);
  const double seconds = to_seconds(step_of(attempt)) *
                         workloads::mean_step_surplus(model.noise_scale, reference, total);
  return total / seconds * gang / gpus;
}

Duration PackedRates::step_of(const Attempt& attempt) const {
  if (steps_ == nullptr) steps_ = make_steps_();
  try {
    return steps_->step(attempt, {}).step;
  } catch (const UsageError&) {  // not measured; a model that cannot be split throws again
    if (footprint_ == nullptr) {
      footprint_ = std::make_unique<AnalyticSteps>(StepTimeInputs{cluster_, &models_},
                                                   AnalyticSteps::Settings{});
    }
    return footprint_->step(attempt, {}).step;
  }
}

}  // namespace mimus::emulator
