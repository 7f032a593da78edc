// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/parallel_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/layers/parameter_layout.hpp"
#include "kernels/parallel/layer_shares.hpp"
#include "kernels/parallel/rank_memory.hpp"
#include "kernels/parallel/slab_plan.hpp"
#include "kernels/parallel/transformer_blocks.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::Operator;

void check(const Model& model, const TransformerLayers& layers, const ParallelShape& shape,
           int stage) {
  const auto refuse = [&](const char* what, std::int64_t have, int parts) {
    throw UsageError(
        fmt::format("model \"{}\": {} {} cannot be divided evenly by {}; choose a divisor of {}",
                    model.name, have, what, parts, have));
  };
  const int least = std::min({shape.tensor, shape.pipeline, shape.data, shape.micro_batches});
  if (least < 1 || shape.micro_batch < 1 || stage < 0 || stage >= shape.pipeline) {
    throw UsageError(fmt::format(
        "stage {} of {} with tensor {}, data {} and {} micro-batches of {}: sizes must be at least "
        "1 and stages are counted from 0; correct the parallel shape",
        stage, shape.pipeline, shape.tensor, shape.data, shape.micro_batches, shape.micro_batch));
  }
  const auto blocks = static_cast<std::int64_t>(layers.begins.size() - 1);
  if (blocks % shape.pipeline != 0) refuse("blocks", blocks, shape.pipeline);
  if (layers.heads % shape.tensor != 0) refuse("attention heads", layers.heads, shape.tensor);
  const bool tokens_divided = shape.sequence_parallel && layers.tokens % shape.tensor != 0;
  if (tokens_divided) refuse("tokens", layers.tokens, shape.tensor);
}

/// Layers of a stage: an equal share of the blocks. The first stage also has the embeddings, the
/// last one also the layers after the blocks.
struct StageRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

StageRange stage_range(const Model& model, const TransformerLayers& layers,
                       const ParallelShape& shape, int stage) {
  const std::size_t blocks = (layers.begins.size() - 1) / static_cast<std::size_t>(shape.pipeline);
  const auto at = static_cast<std::size_t>(stage);
  StageRange range{layers.begins[at * blocks], layers.begins[(at + 1) * blocks]};
  if (stage == 0) range.begin = 0;
  if (stage + 1 == shape.pipeline) range.end = model.layers.size();
  return range;
}

Model share_of(const Model& model, const TransformerLayers& layers, const ParallelShape& shape,
               const StageRange& range) {
  Model share = model;
  share.layers.clear();
  for (std::size_t i = range.begin; i < range.end; ++i) {
    workloads::Layer layer = share_of(model.layers[i], layers.roles[i], shape);
    // If the embeddings are on another stage, a tied head keeps a copy of the table, as in
    // Megatron.
    const bool parted = layer.geometry.tied && range.begin > 0;
    if (parted) {
      layer.geometry.tied = false;
      layer.parameter_tensors.insert(layer.parameter_tensors.begin(),
                                     layer.geometry.in * layer.geometry.out);
    }
    share.layers.push_back(std::move(layer));
  }
  const double bucket = kFloat * static_cast<double>(megatron_bucket(shape));
  share.bucket_rule = {Bytes{bucket}, Bytes{bucket}};
  return share;
}

/// Bytes per element of an activation: the model's, or those of the arithmetic that replaces it.
double activation_bytes(const Model& model, const LaunchOptions& options) {
  if (options.arithmetic) return static_cast<double>(element_bytes(*options.arithmetic));
  return kFloat * activation_width(model.precision);
}

/// Bytes at the edge of a block: tokens × hidden × samples, `width` bytes each.
Bytes edge_bytes(const TransformerLayers& layers, const ParallelShape& shape, double width) {
  const auto elements = layers.tokens * layers.hidden * shape.micro_batch;
  return Bytes{width * static_cast<double>(elements)};
}

/// Collects what tensor-parallel ranks exchange around the column and row layers. A run of column
/// layers (query, key, value) shares one input.
class TensorCollectives {
 public:
  TensorCollectives(ParallelPlan& plan, Bytes size) : plan_(plan), size_(size) {}

  void column(std::size_t layer, bool first, bool last) {
    const bool sequence = plan_.shape.sequence_parallel;
    if (first && sequence) forward(CollectiveOp::all_gather, begin_forward(layer), false);
    if (last && sequence) {
      // The input was kept in parts. It is gathered again beside the first gradient.
      backward(CollectiveOp::all_gather, begin_backward(layer), true);
    }
    if (!first) return;  // this one is last in the backward pass
    backward(sequence ? CollectiveOp::reduce_scatter : CollectiveOp::all_reduce,
             plan_.launches.backward_ends[layer], false);
  }

  void row(std::size_t layer) {
    const bool sequence = plan_.shape.sequence_parallel;
    forward(sequence ? CollectiveOp::reduce_scatter : CollectiveOp::all_reduce,
            plan_.launches.forward_ends[layer], false);
    if (sequence) backward(CollectiveOp::all_gather, begin_backward(layer), false);
  }

 private:
  [[nodiscard]] std::size_t begin_forward(std::size_t layer) const {
    return layer == 0 ? 0 : plan_.launches.forward_ends[layer - 1];
  }
  [[nodiscard]] std::size_t begin_backward(std::size_t layer) const {
    const auto& ends = plan_.launches.backward_ends;
    return layer + 1 == ends.size() ? 0 : ends[layer + 1];
  }
  void forward(CollectiveOp op, std::size_t after, bool overlapped) {
    plan_.forward.push_back({op, ParallelGroup::tensor, size_, after, overlapped});
  }
  void backward(CollectiveOp op, std::size_t after, bool overlapped) {
    plan_.backward.push_back({op, ParallelGroup::tensor, size_, after, overlapped});
  }

  ParallelPlan& plan_;
  Bytes size_;
};

void add_tensor_collectives(ParallelPlan& plan, const TransformerLayers& layers,
                            const StageRange& range, Bytes size) {
  if (plan.shape.tensor == 1) return;
  TensorCollectives collectives(plan, size);
  const auto is_column = [&](std::size_t i) {
    return i >= range.begin && i < range.end && layers.roles[i] == ShardRole::column;
  };
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t layer = i - range.begin;
    if (is_column(i)) {
      collectives.column(layer, i == range.begin || !is_column(i - 1), !is_column(i + 1));
    }
    const bool vocabulary = layers.roles[i] == ShardRole::vocabulary;
    const Operator op = plan.share.layers[layer].geometry.op;
    // Ranks sum the tokens that each one has in its part of the table. The head reads like columns.
    const bool table = vocabulary && op == Operator::embedding;
    if (vocabulary && op == Operator::linear) collectives.column(layer, true, true);
    if (layers.roles[i] == ShardRole::row || table) collectives.row(layer);
  }
  const auto by_launch = [](const auto& a, const auto& b) { return a.after < b.after; };
  std::stable_sort(plan.backward.begin(), plan.backward.end(), by_launch);
}

/// Data-parallel ranks reduce buckets beside the backward pass. With a distributed optimiser each
/// rank keeps its part and gathers the weights, of `width` bytes each, afterwards.
void add_data_collectives(ParallelPlan& plan, double width) {
  if (plan.shape.data == 1) return;
  const bool distributed = plan.shape.distributed_optimiser;
  const auto op = distributed ? CollectiveOp::reduce_scatter : CollectiveOp::all_reduce;
  for (const BucketRelease& release : plan.launches.releases) {
    const auto elements = static_cast<double>(plan.launches.buckets[release.bucket].elements);
    plan.reduce.push_back(
        {op, ParallelGroup::data, Bytes{kFloat * elements}, release.launch + 1, true});
    if (!distributed) continue;
    plan.gather.push_back({CollectiveOp::all_gather, ParallelGroup::data, Bytes{width * elements},
                           plan.launches.optimiser.size(), false});
  }
}

/// The first and the last stage each hold the tied table. Its gradients are summed after the last
/// pass.
void add_tied_table(const Model& model, const StageRange& range, ParallelPlan& plan) {
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const auto table = tied_table(model, i);
    if (!table || plan.shape.pipeline == 1) continue;
    const bool has_head = i >= range.begin && i < range.end;
    if (!has_head && range.begin > *table) continue;
    const auto& held = plan.share.layers[(has_head ? i : *table) - range.begin];
    const auto bytes = kFloat * static_cast<double>(held.parameter_tensors.front());
    plan.reduce.push_back({CollectiveOp::all_reduce, ParallelGroup::pipeline, Bytes{bytes},
                           plan.launches.backward.size(), false});
  }
}

}  // namespace

Bytes megatron_state(const ParallelShape& shape) {
  if (!shape.distributed_optimiser) return Bytes{18.0};
  return Bytes{6.0 + 12.0 / shape.data};
}

std::int64_t megatron_bucket(const ParallelShape& shape) {
  return std::max<std::int64_t>(40'000'000, 1'000'000 * std::int64_t{shape.data});
}

Model stage_share(const Model& model, const ParallelShape& shape, int stage) {
  if (model.grid.used()) return slab_share(model, shape);
  const TransformerLayers layers = find_transformer(model);
  check(model, layers, shape, stage);
  return share_of(model, layers, shape, stage_range(model, layers, shape, stage));
}

ParallelPlan make_parallel_plan(const Model& model, const ParallelShape& shape, int stage,
                                const LaunchOptions& options) {
  if (model.grid.used()) return make_slab_plan(model, shape, options);
  const TransformerLayers layers = find_transformer(model);
  check(model, layers, shape, stage);
  const StageRange range = stage_range(model, layers, shape, stage);
  ParallelPlan plan;
  plan.shape = shape;
  plan.stage = stage;
  plan.share = share_of(model, layers, shape, range);
  plan.launches = make_launch_plan(plan.share,
                                   {.per_gpu_batch = shape.micro_batch,
                                    .accumulation = shape.micro_batches,
                                    .replicas = shape.data},
                                   options, shape.distributed_optimiser ? shape.data : 1);
  const double width = activation_bytes(model, options);
  const Bytes edge = edge_bytes(layers, shape, width);
  add_tensor_collectives(plan, layers, range, edge);
  add_data_collectives(plan, width);
  add_tied_table(model, range, plan);
  plan.schedule = pipeline_schedule(shape, stage);
  plan.boundary = shape.sequence_parallel ? edge / shape.tensor : edge;
  add_rank_memory(plan);
  return plan;
}

}  // namespace mimus::kernels
