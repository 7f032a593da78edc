// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint_plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::LayerKind;
using workloads::Model;
using workloads::Optimiser;

/// A forward pass is cut into this many segments: fine enough for tenants to interleave, coarse
/// enough that an emulated step of a few milliseconds is still paced well.
constexpr int kForwardSegments = 4;

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

/// What one GPU does for one model, apart from the batch.
struct Rates {
  FlopPerSecond compute{};
  BytesPerSecond memory{};
  double width = 1.0;  ///< activation and weight bytes relative to fp32
  Duration launch_gap{};
};

Rates rates_of(const Model& model, const GpuSpec& gpu) {
  const auto efficiency = model.efficiency_on(gpu.name);
  const bool amp = is_mixed(model.precision);
  // Frameworks run "fp32" training on TF32 tensor cores where the GPU has them.
  const FlopPerSecond full = gpu.tf32.value > 0.0 ? gpu.tf32 : gpu.fp32;
  return {.compute = efficiency.compute * (amp ? gpu.fp16 : full),
          .memory = efficiency.memory * gpu.memory_bandwidth,
          .width = activation_width(model.precision),
          .launch_gap = gpu.launch_gap};
}

enum class Direction { forward, backward };

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

void append(Segment& segment, const KernelGroup& group, int launches, const Rates& rates) {
  const Duration compute = group.flop.value > 0.0 ? group.flop / rates.compute : Duration{};
  const Duration memory = group.traffic.value > 0.0 ? group.traffic / rates.memory : Duration{};
  segment.device_time += std::max(compute, memory);
  segment.host_time += launches * rates.launch_gap;
  // Layers of one kind and shape run the same synthetic kernel: one group stands for all of them.
  for (KernelGroup& same : segment.kernels) {
    if (same.kind != group.kind) continue;
    if (group.flop > same.flop) same.shape = group.shape;
    same.flop += group.flop;
    same.traffic += group.traffic;
    return;
  }
  segment.kernels.push_back(group);
}

std::vector<Segment> forward_pass(const Model& model, double batch, const Rates& rates) {
  std::vector<Segment> segments;
  Segment whole;
  for (const Layer& layer : model.layers) {
    append(whole, group_of(layer, Direction::forward, batch, rates.width), layer.forward_kernels,
           rates);
  }
  const Duration target = whole.device_time / kForwardSegments;
  Segment current;
  for (const Layer& layer : model.layers) {
    append(current, group_of(layer, Direction::forward, batch, rates.width), layer.forward_kernels,
           rates);
    if (current.device_time >= target && target.count() > 0) {
      segments.push_back(std::exchange(current, Segment{}));
    }
  }
  if (!current.kernels.empty()) segments.push_back(std::move(current));
  return segments;
}

/// Data-parallel frameworks copy gradients into the bucket and back: two reads, two writes.
KernelGroup bucket_copies(Bytes size) {
  return {.kind = KernelKind::elementwise, .shape = {}, .flop = {}, .traffic = 4.0 * size};
}

std::vector<Segment> backward_pass(const Model& model, double batch, const Rates& rates,
                                   const std::vector<workloads::Bucket>& buckets) {
  std::vector<Segment> segments;
  Segment current;
  std::size_t next_bucket = 0;
  for (std::size_t i = model.layers.size(); i-- > 0;) {
    const Layer& layer = model.layers[i];
    append(current, group_of(layer, Direction::backward, batch, rates.width),
           layer.backward_kernels, rates);
    while (next_bucket < buckets.size() && buckets[next_bucket].last_layer == i) {
      append(current, bucket_copies(buckets[next_bucket].size), 2, rates);
      current.releases_bucket = static_cast<int>(next_bucket++);
      segments.push_back(std::exchange(current, Segment{}));
    }
  }
  if (!current.kernels.empty()) segments.push_back(std::move(current));
  return segments;
}

/// Bytes an optimiser moves per parameter: SGD with momentum reads weight, gradient and momentum
/// and writes two of them; Adam has two moments. Mixed precision adds the fp16 copy.
double optimiser_bytes_per_parameter(const Model& model) {
  const double fp32 = model.optimiser == Optimiser::adam ? 28.0 : 20.0;
  return fp32 + (is_mixed(model.precision) ? 6.0 : 0.0);
}

/// Multi-tensor ("foreach") optimisers launch a fixed handful of kernels per step.
int optimiser_launches(const Model& model) {
  return model.optimiser == Optimiser::adam ? 12 : 5;
}

Segment optimiser_segment(const Model& model, const Rates& rates) {
  Segment segment;
  KernelGroup group;
  group.kind =
      model.optimiser == Optimiser::adam ? KernelKind::adam_update : KernelKind::sgd_update;
  const auto parameters = static_cast<double>(model.parameters());
  group.traffic = Bytes{parameters * optimiser_bytes_per_parameter(model)};
  append(segment, group, optimiser_launches(model), rates);
  return segment;
}

Duration sum_device(const std::vector<Segment>& segments) {
  return std::accumulate(segments.begin(), segments.end(), Duration{},
                         [](Duration sum, const Segment& s) { return sum + s.device_time; });
}

/// Host work that belongs to the model rather than to its launches is spread over the step.
void spread_host_work(FootprintPlan& plan, Duration host_work) {
  std::vector<Segment*> all;
  for (auto& segment : plan.forward) all.push_back(&segment);
  for (auto& segment : plan.backward) all.push_back(&segment);
  Duration launches{};
  for (const Segment* segment : all) launches += segment->host_time;
  for (Segment* segment : all) {
    const double share = launches.count() > 0
                             ? to_seconds(segment->host_time) / to_seconds(launches)
                             : 1.0 / static_cast<double>(all.size());
    segment->host_time += scale(host_work, share);
  }
}

}  // namespace

const char* name(KernelKind kind) {
  constexpr std::array<const char*, kKernelKinds> kNames{
      "convolution", "gemm",      "batched_gemm", "recurrent",  "normalisation",
      "elementwise", "embedding", "sgd_update",   "adam_update"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Duration FootprintPlan::device_time() const {
  return shape.accumulation * (sum_device(forward) + sum_device(backward)) + optimiser.device_time;
}

FootprintPlan make_plan(const Model& model, const GpuSpec& gpu, const StepShape& shape) {
  const Rates rates = rates_of(model, gpu);
  const auto batch = static_cast<double>(shape.per_gpu_batch);
  const bool distributed = shape.replicas > 1;
  const auto buckets = distributed ? model.buckets() : std::vector<workloads::Bucket>{};

  FootprintPlan plan;
  plan.shape = shape;
  plan.forward = forward_pass(model, batch, rates);
  plan.backward = backward_pass(model, batch, rates, buckets);
  plan.optimiser = optimiser_segment(model, rates);
  for (const auto& bucket : buckets) plan.buckets.push_back(bucket.size);
  if (distributed) plan.buffer_broadcast = model.buffer_bytes;
  plan.input = batch * shape.accumulation * model.input_bytes;
  plan.input_copy = plan.input / gpu.host_link;
  plan.memory = model.memory(shape.per_gpu_batch);
  spread_host_work(plan, model.host_per_step + scale(model.host_per_sample, batch));
  return plan;
}

}  // namespace mimus::kernels
