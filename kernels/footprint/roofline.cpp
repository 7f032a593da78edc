// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/roofline.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::LayerKind;
using workloads::Model;
using workloads::Optimiser;

KernelKind kernel_of(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution:
      return KernelKind::convolution;
    case LayerKind::gemm:
      return KernelKind::gemm;
    case LayerKind::batched_gemm:
      return KernelKind::batched_gemm;
    case LayerKind::recurrent:
      return KernelKind::recurrent;
    case LayerKind::normalisation:
      return KernelKind::normalisation;
    case LayerKind::elementwise:
      return KernelKind::elementwise;
    case LayerKind::embedding:
      return KernelKind::embedding;
  }
  throw InternalError("unknown layer kind");
}

/// Bytes that an optimiser moves per parameter. SGD with momentum reads weight, gradient and
/// momentum and writes weight and momentum. Adam has two moments. LAMB takes three passes: moments
/// and update, the norms of weight and update, and the step of the weight. Mixed precision adds the
/// fp16 copy.
double optimiser_bytes_per_parameter(const Model& model) {
  const double half = is_mixed(model.precision) ? 6.0 : 0.0;
  switch (model.optimiser) {
    case Optimiser::sgd_momentum:
      return 20.0 + half;
    case Optimiser::adam:
      return 28.0 + half;
    case Optimiser::lamb:
      return 28.0 + 8.0 + 12.0 + half;
  }
  throw InternalError("unknown optimiser");
}

/// Multi-tensor ("foreach") optimisers launch a small fixed number of kernels per step.
int optimiser_launches(const Model& model) {
  if (model.parameters() == 0) return 0;
  return model.optimiser == Optimiser::sgd_momentum ? 5 : 12;
}

KernelKind update_of(Optimiser optimiser) {
  switch (optimiser) {
    case Optimiser::sgd_momentum:
      return KernelKind::sgd_update;
    case Optimiser::adam:
      return KernelKind::adam_update;
    case Optimiser::lamb:
      return KernelKind::lamb_update;
  }
  throw InternalError("unknown optimiser");
}

}  // namespace

RooflineRates roofline_rates(const Model& model, const GpuSpec& gpu) {
  const auto reached = efficiency(model, gpu);
  const bool amp = is_mixed(model.precision);
  // Frameworks run "fp32" training on TF32 tensor cores where the GPU has them. Solvers have no
  // matrix products.
  const bool products = !model.grid.used();
  const FlopPerSecond full = products && gpu.tf32.value > 0.0 ? gpu.tf32 : gpu.fp32;
  return {.compute = reached.compute * (amp ? gpu.fp16 : full),
          .memory = reached.memory * gpu.memory_bandwidth,
          .width = activation_width(model.precision),
          .launch_gap = gpu.launch_gap};
}

KernelGroup group_of(const Layer& layer, Direction direction, double batch, double width) {
  const bool forward = direction == Direction::forward;
  KernelGroup group;
  group.kind = kernel_of(layer.kind);
  group.shape = layer.gemm;
  group.shape.rows =
      static_cast<std::int64_t>(static_cast<double>(layer.gemm.rows) * std::max(batch, 1.0));
  group.flop = batch * (forward ? layer.forward_flop : layer.backward_flop);
  group.traffic = batch * width * (forward ? layer.forward_traffic : layer.backward_traffic) +
                  width * layer.weight_traffic;
  return group;
}

void append(Segment& segment, const KernelGroup& group, int launches, const RooflineRates& rates) {
  // Kernels of a solver have no backward pass.
  if (launches == 0 && group.flop.value <= 0.0 && group.traffic.value <= 0.0) return;
  const Duration compute = group.flop.value > 0.0 ? group.flop / rates.compute : Duration{};
  const Duration memory = group.traffic.value > 0.0 ? group.traffic / rates.memory : Duration{};
  segment.device_time += std::max(compute, memory);
  segment.host_time += launches * rates.launch_gap;
  // Layers of the same kind and shape run the same synthetic kernel, so one group covers all of
  // them.
  for (KernelGroup& same : segment.kernels) {
    if (same.kind != group.kind) continue;
    if (group.flop > same.flop) same.shape = group.shape;
    same.flop += group.flop;
    same.traffic += group.traffic;
    return;
  }
  segment.kernels.push_back(group);
}

KernelGroup bucket_copies(Bytes size) {
  return {.kind = KernelKind::elementwise, .shape = {}, .flop = {}, .traffic = 4.0 * size};
}

Segment optimiser_segment(const Model& model, const RooflineRates& rates) {
  Segment segment;
  KernelGroup group;
  group.kind = update_of(model.optimiser);
  const auto parameters = static_cast<double>(model.parameters());
  group.traffic = Bytes{parameters * optimiser_bytes_per_parameter(model)};
  append(segment, group, optimiser_launches(model), rates);
  return segment;
}

void spread_host_work(FootprintPlan& plan, Duration host_work, const workloads::HostWork& host) {
  std::vector<Segment*> all;
  for (auto& segment : plan.forward) all.push_back(&segment);
  for (auto& segment : plan.backward) all.push_back(&segment);
  Duration launches{};
  for (const Segment* segment : all) launches += segment->host_time;
  for (Segment* segment : all) {
    const double share = launches.count() > 0
                             ? to_seconds(segment->host_time) / to_seconds(launches)
                             : 1.0 / static_cast<double>(all.size());
    segment->input_time = scale(host_work, share);
    segment->host_time += segment->input_time;
    segment->host_time_per_neighbour = scale(host_work, share * host.contention);
    segment->contended_gpus = host.contended_gpus;
  }
}

}  // namespace mimus::kernels
