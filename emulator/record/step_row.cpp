// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/step_row.hpp"

namespace mimus::emulator {

results::StepRow step_row(const Attempt& attempt, const StepWindow& window,
                          const TrainingState& state) {
  results::StepRow row;
  row.attempt = attempt.id.value();
  row.job = attempt.job.value();
  row.begin = to_seconds(window.begin);
  row.end = to_seconds(window.end);
  row.steps = window.steps;
  row.total_batch = window.batch.total(attempt.allocation.slots.size());
  row.samples = window.samples;
  row.progress_samples = window.progress_samples;
  row.noise_scale = window.noise_scale;
  row.loss = state.loss;
  row.learning_rate = state.learning_rate;
  row.step_mean = to_seconds(window.step_mean);
  row.step_modelled = to_seconds(window.step_modelled);
  row.exposed_communication = to_seconds(window.exposed_communication);
  row.device_busy = to_seconds(window.device_busy);
  row.late = to_seconds(window.late);
  row.co_tenants = window.co_tenants;
  return row;
}

}  // namespace mimus::emulator
