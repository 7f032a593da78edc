// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What attempts have done: how it is recorded, and what the policy and the workload hear of it.
#include <algorithm>
#include <utility>

#include "emulator/testbed/job_samples.hpp"
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {

void Testbed::handle(AttemptProgress& progress, Instant at) {
  JobTruth* truth = nullptr;
  if (const JobId* job = running_.find(progress.attempt)) truth = &truths_.at(*job);
  log_.progressed(progress, [&](const StepWindow& window) {
    if (truth == nullptr) return TrainingState{};
    return training_state(window, *truth, settings_.learning, settings_.seed);
  });
  if (truth != nullptr) truth->samples_reported = progress.samples_done;
  if (const auto told = untold_progress_.add(std::move(progress))) report(*told, at);
}

void Testbed::report(const AttemptProgress& progress, Instant at) {
  std::vector<scheduler::JobSample> samples;
  if (const JobId* job = running_.find(progress.attempt)) {
    const JobTruth& truth = truths_.at(*job);
    if (jobs_.hears() == workloads::Hears::progress) {
      const double share = progress.samples_done / truth.job.work_samples;
      tell_workload({*job, workloads::JobNews::What::progress, share, at});
    }
    if (wants_samples_ && truth.model != nullptr) samples = samples_of(progress, truth);
  }
  if (progress.windows.empty() && !progress.epochs) return;
  scheduler::ProgressBelief belief{.samples_done = progress.samples_done,
                                   .epochs = progress.epochs};
  if (!progress.windows.empty()) {
    const StepWindow& last = progress.windows.back();
    belief.noise_scale = last.noise_scale;
    belief.throughput = last.samples / std::max(to_seconds(last.end - last.begin), 1e-9);
  }
  if (progress.is_urgent) untold_.tell_start_of(progress.attempt);
  untold_.hear(scheduler::ProgressReported{progress.attempt, belief, std::move(samples)},
               progress.is_urgent);
}

std::vector<scheduler::JobSample> Testbed::samples_of(const AttemptProgress& progress,
                                                      const JobTruth& truth) const {
  auto samples = job_samples(progress.windows, truth, scheduler_.cluster().shape(), settings_.seed);
  const TrainingPlace place{truth.job.id, *truth.model, truth.last.slots.size(),
                            progress.samples_done};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].gradients =
        emulated_gradients(progress.windows[i], place, settings_.learning, settings_.gradients);
  }
  return samples;
}

}  // namespace mimus::emulator
