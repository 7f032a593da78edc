// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/split_plan.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/layers/attention_runs.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "kernels/parallel/split_passes.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;

/// The smallest gang with the smallest batch, as the memory of a rank depends on neither.
StepShape one_replica(const Model& model) {
  return {.per_gpu_batch = 1, .accumulation = 1, .replicas = model.split.gpus()};
}

int micro_batches_held(const ParallelShape& shape, int stage) {
  return std::min(shape.pipeline - stage, shape.micro_batches);
}

Bytes memory_of(const Model& share, const ParallelShape& shape, std::int64_t samples) {
  const Bytes whole = share.memory(samples);
  if (!shape.distributed_optimiser) return whole;
  return whole - share.optimiser_state() + share.optimiser_state() / shape.data;
}

/// If the optimiser's state is divided, each data-parallel rank updates its part.
void divide(Segment& optimiser, int parts) {
  optimiser.device_time /= parts;
  for (KernelGroup& group : optimiser.kernels) {
    group.flop = group.flop / parts;
    group.traffic = group.traffic / parts;
  }
}

FootprintPlan plan_of(const Model& model, const GpuSpec& gpu, const ParallelPlan& rank) {
  const ParallelShape& shape = rank.shape;
  const RooflineRates rates = roofline_rates(rank.share, gpu);
  SplitPasses passes = cut_passes(rank, rates);
  FootprintPlan plan;
  plan.shape = {.per_gpu_batch = shape.micro_batch,
                .accumulation = shape.micro_batches,
                .replicas = shape.data};
  plan.forward = std::move(passes.forward);
  plan.backward = std::move(passes.backward);
  plan.optimiser = optimiser_segment(rank.share, rates);
  if (shape.distributed_optimiser) divide(plan.optimiser, shape.data);
  plan.split = std::make_shared<const RankCommunication>(std::move(passes.communication));
  if (rank.stage == 0) {
    plan.input = static_cast<double>(shape.micro_batch * shape.micro_batches) * model.input_bytes;
    plan.input_copy = plan.input / gpu.host_link;
  }
  plan.memory =
      memory_of(rank.share, shape, shape.micro_batch * micro_batches_held(shape, rank.stage));
  plan.state = memory_of(rank.share, shape, 0);
  // Host work is proportional to the launched layers. Tensor-parallel ranks launch them all.
  const double part =
      static_cast<double>(rank.share.layers.size()) / static_cast<double>(model.layers.size());
  const workloads::HostWork host = host_work(model, gpu);
  const auto samples = static_cast<double>(shape.micro_batch);
  spread_host_work(plan, scale(host.of(samples), part), host);
  return plan;
}

}  // namespace

ParallelShape parallel_shape(const Model& model, const StepShape& step) {
  const workloads::ModelSplit& split = model.split;
  if (step.replicas % split.gpus() != 0) {
    throw UsageError(
        fmt::format("model \"{}\": a replica takes {} GPUs, and a gang of {} is not a multiple of "
                    "that; request {}",
                    model.name, split.gpus(), step.replicas,
                    (step.replicas / split.gpus() + 1) * split.gpus()));
  }
  return {.tensor = split.tensor,
          .pipeline = split.pipeline,
          .data = step.replicas / split.gpus(),
          .micro_batches = step.accumulation * split.gpus(),
          .micro_batch = step.per_gpu_batch,
          .sequence_parallel = split.sequence_parallel,
          .distributed_optimiser = split.distributed_optimiser};
}

void check_split(const Model& model) {
  if (model.split.gpus() == 1) return;
  (void)stage_share(model, parallel_shape(model, one_replica(model)), 0);
}

std::vector<FootprintPlan> make_gang_plans(const Model& model, const GpuSpec& gpu,
                                           const StepShape& step) {
  std::vector<FootprintPlan> plans;
  if (model.split.gpus() == 1) {
    plans.push_back(make_plan(model, gpu, step));
    return plans;
  }
  const ParallelShape shape = parallel_shape(model, step);
  for (int stage = 0; stage < shape.pipeline; ++stage) {
    plans.push_back(plan_of(model, gpu, make_parallel_plan(model, shape, stage, {})));
  }
  return plans;
}

void add_launches(FootprintPlan& plan, const Model& model, const StepShape& step, int stage,
                  const LaunchOptions& options) {
  if (options.attention == Attention::sdpa) check_fused_attention(model);
  if (model.split.gpus() == 1) {
    MemoryLimit limit;
    if (plan.spilled > Bytes{}) {
      const Bytes beside_context = std::max(Bytes{}, plan.memory - model.workspace);
      limit = {.device = static_cast<std::int64_t>(beside_context.value),
               .spilled = static_cast<std::int64_t>(plan.spilled.value)};
    }
    plan.launches =
        std::make_shared<const LaunchPlan>(make_launch_plan(model, step, options, 1, limit));
    return;
  }
  const auto rank = std::make_shared<const ParallelPlan>(
      make_parallel_plan(model, parallel_shape(model, step), stage, options));
  plan.launches = {rank, &rank->launches};
  plan.split = rank;
}

MemoryNeed memory_need(const Model& model) {
  if (model.split.gpus() == 1) return {model.memory(0), model.saved_activations()};
  const ParallelShape shape = parallel_shape(model, one_replica(model));
  MemoryNeed need;
  for (int stage = 0; stage < shape.pipeline; ++stage) {
    const Model share = stage_share(model, shape, stage);
    const int held = micro_batches_held(shape, stage);
    need.base = std::max(need.base, share.memory(0));
    need.per_sample = std::max(need.per_sample, held * share.saved_activations());
  }
  return need;
}

}  // namespace mimus::kernels
