// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/footprint_plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "kernels/footprint/roofline.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::Model;

/// Number of segments of a forward pass: fine enough for tenants to interleave, coarse enough that
/// an emulated step of a few milliseconds is still paced well.
constexpr int kForwardSegments = 4;

std::vector<Segment> forward_pass(const Model& model, double batch, const RooflineRates& rates) {
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

std::vector<Segment> backward_pass(const Model& model, double batch, const RooflineRates& rates,
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

Duration sum_device(const std::vector<Segment>& segments) {
  return std::accumulate(segments.begin(), segments.end(), Duration{},
                         [](Duration sum, const Segment& s) { return sum + s.device_time; });
}

}  // namespace

const char* name(KernelKind kind) {
  constexpr std::array<const char*, kKernelKinds> kNames{
      "convolution", "gemm",      "batched_gemm", "recurrent",   "normalisation",
      "elementwise", "embedding", "sgd_update",   "adam_update", "lamb_update"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Duration FootprintPlan::device_time() const {
  return shape.accumulation * (sum_device(forward) + sum_device(backward)) + optimiser.device_time;
}

FootprintPlan make_plan(const Model& model, const GpuSpec& gpu, const StepShape& shape) {
  const RooflineRates rates = roofline_rates(model, gpu);
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
  plan.state = model.memory(0);
  const workloads::HostWork host = host_work(model, gpu);
  spread_host_work(plan, host.of(batch), host);
  return plan;
}

void spill_beyond(FootprintPlan& plan, Bytes device, BytesPerSecond host_link) {
  plan.spilled = std::max(Bytes{}, plan.memory - device);
  plan.memory = plan.memory - plan.spilled;
  plan.state = std::min(plan.state, plan.memory);
  plan.spill_copy = plan.spilled / host_link;
}

void fix_gpus_in_use(FootprintPlan& plan, int gpus_in_use) {
  const auto fix = [&](Segment& segment) {
    const Duration among = segment.host_time_on({.gpus = gpus_in_use});
    segment.input_time += among - segment.host_time;
    segment.host_time = among;
    segment.host_time_per_neighbour = Duration::zero();
  };
  std::for_each(plan.forward.begin(), plan.forward.end(), fix);
  std::for_each(plan.backward.begin(), plan.backward.end(), fix);
  fix(plan.optimiser);
}

}  // namespace mimus::kernels
