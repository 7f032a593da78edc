// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/plan/launch_plan.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/launch/launch_commands.hpp"
#include "kernels/layers/fused_attention.hpp"
#include "kernels/layers/layer_stage.hpp"
#include "kernels/layers/optimiser_launches.hpp"
#include "kernels/layers/small_launches.hpp"
#include "kernels/plan/working_memory.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::Precision;

Arithmetic arithmetic_of(const Model& model, const LaunchOptions& options) {
  if (options.arithmetic) return *options.arithmetic;
  switch (model.precision) {
    case Precision::fp32:
      return Arithmetic::fp32;
    case Precision::fp16:
      return Arithmetic::fp16;
    case Precision::bf16:
      return Arithmetic::bf16;
  }
  throw InternalError("unknown precision");
}

void check(const Model& model, const StepShape& shape) {
  if (shape.per_gpu_batch >= 1 && shape.accumulation >= 1 && shape.replicas >= 1) return;
  throw UsageError(fmt::format(
      "a step of model \"{}\" with {} samples per GPU, {} micro-batches and {} replicas: each must "
      "be at least 1; correct the batch",
      model.name, shape.per_gpu_batch, shape.accumulation, shape.replicas));
}

class Planner {
 public:
  Planner(const Model& model, const PlanSettings& settings)
      : model_(model), settings_(settings), layout_(lay_out_replica(model, settings)) {
    runs_.resize(model.layers.size());
    for (std::size_t run = 0; run < layout_.attention.size(); ++run) {
      for (std::size_t i = layout_.attention[run].first; i <= layout_.attention[run].last; ++i) {
        runs_[i] = run;
      }
    }
  }

  [[nodiscard]] const ReplicaLayout& layout() const { return layout_; }

  void forward(LaunchPlan& plan) const {
    std::vector<Launch>& launches = plan.forward;
    for (std::size_t i = 0; i < model_.layers.size(); ++i) {
      if (!runs_[i]) {
        append_forward(launches, make_stage(model_, layout_, settings_, i, Pass::forward));
      } else if (layout_.attention[*runs_[i]].first == i) {
        launches.push_back(fused_attention(layout_, settings_, *runs_[i], false));
      }
      plan.forward_ends.push_back(launches.size());
    }
  }

  void backward(LaunchPlan& plan) const {
    const auto buckets = model_.buckets();
    std::vector<Launch>& launches = plan.backward;
    std::vector<BucketRelease>& releases = plan.releases;
    plan.backward_ends.resize(model_.layers.size());
    for (std::size_t i = model_.layers.size(); i-- > 0;) {
      if (!runs_[i]) {
        append_backward(launches, make_stage(model_, layout_, settings_, i, Pass::backward));
      } else if (layout_.attention[*runs_[i]].last == i) {
        launches.push_back(fused_attention(layout_, settings_, *runs_[i], true));
      }
      plan.backward_ends[i] = launches.size();
      for (; releases.size() < buckets.size() && buckets[releases.size()].last_layer == i;) {
        releases.push_back({launches.size() - 1, releases.size()});
      }
    }
  }

 private:
  const Model& model_;
  PlanSettings settings_;
  ReplicaLayout layout_;
  std::vector<std::optional<std::size_t>> runs_;  ///< per layer
};

MemoryPlan memory_of(const Model& model, const StepShape& shape, const ReplicaLayout& layout) {
  MemoryPlan memory;
  memory.region = layout.region;
  memory.kept = layout.kept;
  const double samples = static_cast<double>(shape.per_gpu_batch * shape.accumulation);
  memory.input = static_cast<std::int64_t>(samples * model.input_bytes.value);
  return memory;
}

/// `working`: of the region in `memory`, which has more that no launch touches.
void apply(const MemoryLimit& limit, MemoryPlan& memory, WorkingMemory& working) {
  memory.limit = limit;
  const std::int64_t most_fragments = limit.device - (memory.total() - memory.fragments);
  memory.fragments = std::clamp<std::int64_t>(most_fragments, 0, memory.fragments);
  const std::int64_t excess = memory.total() - limit.device;
  if (excess <= 0) return;
  std::int64_t& region = memory.region.at(static_cast<std::size_t>(Region::working));
  const std::int64_t most = region - excess;
  if (most < working.bytes()) working.shrink_to(most);
  region = std::max(most, working.bytes());
}

bool needs_temporary(const Model& model, const LaunchOptions& options) {
  return options.optimiser != OptimiserLaunches::fused ||
         model.optimiser == workloads::Optimiser::lamb;
}

}  // namespace

std::int64_t LaunchPlan::launches() const {
  const auto count = [](const std::vector<Launch>& list) {
    return std::accumulate(list.begin(), list.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& one) { return sum + kernels_of(one); });
  };
  const auto copies =
      shape.replicas > 1 ? 2 * static_cast<std::int64_t>(buckets.size()) : std::int64_t{0};
  return shape.accumulation * (count(forward) + count(backward)) + count(optimiser) + copies;
}

LaunchPlan make_launch_plan(const Model& model, const StepShape& shape,
                            const LaunchOptions& options, int optimiser_parts,
                            const MemoryLimit& limit) {
  check(model, shape);
  const PlanSettings settings{.batch = shape.per_gpu_batch,
                              .arithmetic = arithmetic_of(model, options),
                              .fused_attention = options.attention == Attention::sdpa,
                              .optimiser_temporary = needs_temporary(model, options),
                              .replicated = shape.replicas > 1,
                              .optimiser_parts = optimiser_parts};
  // Gradients in fp16 underflow unless the loss is scaled. bf16 has the exponents of fp32.
  const bool loss_scaled = settings.arithmetic == Arithmetic::fp16;
  const Planner planner(model, settings);
  const ReplicaLayout& layout = planner.layout();

  LaunchPlan plan;
  plan.shape = shape;
  plan.halves = settings.arithmetic == Arithmetic::fp16 ? Arithmetic::fp16 : Arithmetic::bf16;
  planner.forward(plan);
  if (loss_scaled) plan.forward.push_back(count_launch(layout.counters));
  planner.backward(plan);
  plan.optimiser = optimiser_launches(model.optimiser, layout.parameters, optimiser_parts, options,
                                      loss_scaled, layout.counters);
  plan.buckets = layout.parameters.buckets;
  if (shape.replicas > 1) plan.buffer_broadcast = buffer_bytes(model);
  plan.memory = memory_of(model, shape, layout);
  plan.allocations =
      pytorch_allocations(model, layout, settings, plan, plan.memory.input, shape.accumulation);
  WorkingMemory working(plan, layout);
  plan.memory.region.at(static_cast<std::size_t>(Region::working)) = working.bytes();
  const PeakMemory peak = peak_memory(plan.allocations);
  plan.memory.allocated = peak.allocated;
  plan.memory.fragments = plan.memory.fragments_of(peak.reserved, peak.product);
  // The layout has places only for what layers read and write.
  plan.memory.region.at(static_cast<std::size_t>(Region::working)) +=
      static_cast<std::int64_t>(model.grid.memory().value);
  apply(limit, plan.memory, working);
  working.place_operands(plan);
  return plan;
}

}  // namespace mimus::kernels
