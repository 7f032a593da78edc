// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_views.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

/// A job that is only a run time has no choice of batch: one sample per GPU.
scheduler::ModelFacts run_time_facts(const workloads::Job& job) {
  scheduler::ModelFacts facts;
  facts.name = job.model;
  facts.reference_batch = facts.total_batch_max = std::max(1, job.gang);
  return facts;
}

/// Elements of the largest parameter tensor divided by those of all; 0 without parameters.
double tensor_skew(const workloads::Model& model) {
  std::int64_t largest = 0;
  for (const workloads::Layer& layer : model.layers) {
    for (const std::int64_t elements : layer.parameter_tensors) {
      largest = std::max(largest, elements);
    }
  }
  const std::int64_t all = model.parameters();
  return all == 0 ? 0.0 : static_cast<double>(largest) / static_cast<double>(all);
}

/// What a profiler knows of it.
std::shared_ptr<const scheduler::EpochProfile> epochs_of(const workloads::Job& job) {
  if (!job.course) return nullptr;
  scheduler::EpochProfile profile{
      .modes = {}, .iterations = job.course->iterations, .of_epoch = job.course->profiled};
  for (const auto& mode : job.course->modes) {
    profile.modes.push_back({mode.batch, mode.rate, mode.epoch_time});
  }
  return std::make_shared<const scheduler::EpochProfile>(std::move(profile));
}

}  // namespace

std::optional<scheduler::StageTimes> stages_of(const workloads::Job& job) {
  if (!job.stages) return std::nullopt;
  return scheduler::StageTimes{.input = to_seconds(job.stages->input),
                               .compute = to_seconds(job.stages->compute),
                               .network = to_seconds(job.stages->network),
                               .iteration = to_seconds(job.stages->iteration)};
}

scheduler::ModelGraph graph_of(const workloads::Model& model) {
  if (model.split.gpus() > 1 || model.grid.used()) return {};
  scheduler::ModelGraph graph;
  graph.forward = model.forward_flop();
  graph.activations = model.saved_activations();
  graph.input = model.input_bytes;
  graph.parameters = static_cast<double>(model.parameters());
  graph.operators = static_cast<int>(model.layers.size());
  graph.convolutions = static_cast<int>(
      std::count_if(model.layers.begin(), model.layers.end(), [](const workloads::Layer& layer) {
        return layer.kind == workloads::LayerKind::convolution;
      }));
  graph.moments = workloads::moments(model.optimiser);
  return graph;
}

scheduler::ModelFacts facts_of(const workloads::Model& model) {
  scheduler::ModelFacts facts;
  facts.name = model.name;
  facts.reference_batch = model.batch.reference;
  facts.per_gpu_batch_min = model.batch.per_gpu_min;
  facts.per_gpu_batch_max = model.batch.per_gpu_max;
  facts.total_batch_max = model.batch.total_max;
  facts.epoch_samples = std::max<std::int64_t>(1, std::llround(model.epoch_samples));
  const kernels::MemoryNeed memory = kernels::memory_need(model);
  facts.base_memory = memory.base;
  facts.memory_per_sample = memory.per_sample;
  facts.target_loss = model.loss.at(1.0);
  facts.tensor_skew = tensor_skew(model);
  facts.graph = graph_of(model);
  return facts;
}

scheduler::HostNeed host_need(const workloads::Job& job) {
  return {.milli_cores = std::llround(1000.0 * job.cores),
          .memory = std::llround(job.host_memory.value)};
}

void JobViews::fill(scheduler::JobView& view, const JobTruth& truth, Instant now) {
  const workloads::Job& job = truth.job;
  view.id = job.id;
  view.name = job.name;
  view.user = job.user;
  view.virtual_cluster = job.virtual_cluster;
  view.group = job.group;
  view.application = job.application;
  if (truth.model != nullptr) {
    const auto [entry, is_new] = facts_.try_emplace(truth.model);
    if (is_new) entry->second = facts_of(*truth.model);
    view.model = entry->second;
  } else {
    view.model = run_time_facts(job);
  }
  view.stages = stages_of(job);
  view.gang = job.gang;
  view.gang_min = job.gang_min;
  view.gang_max = job.gang_max;
  view.replica_gpus = truth.model != nullptr ? truth.model->split.gpus() : 1;
  // A grid has as many slabs as its name says.
  view.rigid = job.rigid || (truth.model != nullptr && truth.model->grid.used());
  view.opportunistic = job.opportunistic;
  view.gpu_share = job.gpu_share;
  view.gpu_types = job.gpu_types;
  view.rates = job.rates;
  view.pair_rates = job.pair_rates;
  view.kind = job.kind;
  view.epochs = epochs_of(job);
  view.host = host_need(job);
  view.requested_batch = truth.model != nullptr ? job.total_batch : std::max(1, job.gang);
  for (const auto& [epoch, batch] : job.batch_plan) view.batch_plan.emplace_back(epoch, batch);
  if (truth.model != nullptr) view.epoch_samples = job.work_samples / truth.model->epochs;
  view.arrival = now;
  view.queued_since = now;
  view.user_estimate = job.user_estimate;
  if (job.deadline > Duration{}) view.deadline = now + job.deadline;
}

}  // namespace mimus::emulator
