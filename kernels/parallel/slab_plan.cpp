// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/slab_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/parallel/rank_memory.hpp"

namespace mimus::kernels {
namespace {

using workloads::Grid;
using workloads::GridKernel;
using workloads::GridLayer;
using workloads::Layer;
using workloads::Model;

void check_slabs(const Model& model, const ParallelShape& shape) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("model \"{}\": {}", model.name, why));
  };
  if (shape.pipeline > 1 || shape.distributed_optimiser || !shape.sequence_parallel) {
    refuse("a grid is divided into slabs only; write t and their number, without p, o and w");
  }
  if (shape.data > 1) {
    refuse(
        fmt::format("{} GPUs have one slab each, and a gang of {} has more; name the model {}@t{}",
                    shape.tensor, shape.ranks(), model.base_name(), shape.ranks()));
  }
  const std::int64_t points = model.grid.points;
  if (points % shape.tensor != 0) {
    refuse(fmt::format("{} planes cannot be divided evenly by {}; choose a divisor of {}", points,
                       shape.tensor, points));
  }
  std::int64_t planes = 0;
  for (const Layer& layer : model.layers) planes = std::max(planes, layer.geometry.grid.planes);
  if (shape.tensor > 1 && points / shape.tensor < planes) {
    refuse(
        fmt::format("slabs of {} planes are thinner than the {} planes that a neighbour needs; "
                    "choose at most {} GPUs",
                    points / shape.tensor, planes, points / planes));
  }
}

Layer slab_of(const Layer& layer, int slabs) {
  Layer share = layer;
  const double part = 1.0 / slabs;
  share.forward_flop *= part;
  share.forward_traffic *= part;
  share.geometry.elements = (layer.geometry.elements + slabs - 1) / slabs;
  return share;
}

/// Appends what the ranks exchange behind the layer, for `samples` at a time.
void exchange_after(const GridLayer& layer, const Grid& grid, std::size_t after, double samples,
                    std::vector<ScheduledCollective>& out) {
  const auto add = [&](CollectiveOp op, Bytes size, std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) {
      out.push_back({op, ParallelGroup::tensor, samples * size, after, false});
    }
  };
  switch (layer.kernel) {
    case GridKernel::none:
      return;
    case GridKernel::fft:
      return add(CollectiveOp::all_to_all, grid.spectrum() / grid.slabs, layer.fields);
    case GridKernel::interpolation: {
      const auto planes = static_cast<double>(layer.planes * layer.fields);
      return add(CollectiveOp::send_recv, planes * grid.plane(), layer.planes > 0 ? 2 : 0);
    }
    case GridKernel::stencil:
      // Only the derivative along the divided side reaches beyond the slab: one field.
      return add(CollectiveOp::send_recv, static_cast<double>(layer.planes) * grid.plane(),
                 layer.planes > 0 ? 2 : 0);
    case GridKernel::pointwise:
      return add(CollectiveOp::all_reduce, Bytes{4.0 * static_cast<double>(layer.sums)},
                 layer.sums > 0 ? 1 : 0);
  }
}

}  // namespace

Model slab_share(const Model& model, const ParallelShape& shape) {
  check_slabs(model, shape);
  Model share = model;
  share.grid.slabs = shape.tensor;
  for (Layer& layer : share.layers) layer = slab_of(layer, shape.tensor);
  return share;
}

ParallelPlan make_slab_plan(const Model& model, const ParallelShape& shape,
                            const LaunchOptions& options) {
  ParallelPlan plan;
  plan.shape = shape;
  plan.share = slab_share(model, shape);
  plan.launches = make_launch_plan(
      plan.share,
      {.per_gpu_batch = shape.micro_batch, .accumulation = shape.micro_batches, .replicas = 1},
      options);
  for (std::size_t i = 0; shape.tensor > 1 && i < plan.share.layers.size(); ++i) {
    exchange_after(plan.share.layers[i].geometry.grid, plan.share.grid,
                   plan.launches.forward_ends[i], static_cast<double>(shape.micro_batch),
                   plan.forward);
  }
  for (int i = 0; i < shape.micro_batches; ++i) {
    plan.schedule.push_back({PipelineAction::Kind::forward, i});
  }
  add_rank_memory(plan);
  return plan;
}

}  // namespace mimus::kernels
