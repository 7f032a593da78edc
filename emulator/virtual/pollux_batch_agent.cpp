// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/pollux_batch_agent.hpp"

#include <algorithm>

#include "scheduler/fit/best_batch.hpp"

namespace mimus::emulator {
namespace {

scheduler::BatchPlan first_batch(const workloads::PolluxApplication& application, int replicas) {
  const std::int64_t total =
      std::max(application.reference_batch, application.per_gpu_min * replicas);
  const bool two = replicas == 1 && total > application.reference_batch;
  const auto split = application.split(total, replicas, two ? 2 : 1);
  return {split.per_gpu, static_cast<int>(split.micro_batches)};
}

}  // namespace

void PolluxBatchAgent::observe(const AgentObservation& seen) {
  Knowledge& knowledge = known_[seen.job];
  knowledge.noise_scale = seen.noise_scale;
  knowledge.most_replicas = std::max(knowledge.most_replicas, seen.replicas);
  const bool known = std::any_of(knowledge.samples.begin(), knowledge.samples.end(),
                                 [&](const scheduler::StepSample& s) {
                                   return s.nodes == seen.nodes && s.replicas == seen.replicas &&
                                          s.per_gpu_batch == seen.per_gpu_batch;
                                 });
  if (known) return;
  knowledge.samples.push_back({seen.nodes, seen.replicas, seen.per_gpu_batch,
                               seen.timing.step - seen.timing.sync, seen.timing.step});
  knowledge.model = scheduler::fit_throughput(knowledge.samples);
}

std::optional<scheduler::BatchPlan> PolluxBatchAgent::choose(
    JobId job, const workloads::PolluxApplication& application, int nodes, int replicas) {
  if (!application.scales) return std::nullopt;
  const Knowledge* knowledge = of(job);
  if (knowledge == nullptr) return first_batch(application, replicas);
  const scheduler::BatchQuestion question{
      {application.per_gpu_min, application.per_gpu_max, application.total_batch_max},
      application.reference_batch,
      knowledge->noise_scale};
  const auto choice = scheduler::best_batch(knowledge->model, question, nodes, replicas);
  if (!choice) return first_batch(application, replicas);
  auto plan = choice->batch;
  plan.per_gpu = std::min(
      plan.per_gpu, application.total_batch_max / (std::int64_t{replicas} * plan.accumulation));
  return plan;
}

const PolluxBatchAgent::Knowledge* PolluxBatchAgent::of(JobId job) const {
  const auto found = known_.find(job);
  return found == known_.end() ? nullptr : &found->second;
}

}  // namespace mimus::emulator
