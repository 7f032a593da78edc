// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/gpu_log.hpp"

namespace mimus::emulator {

using scheduler::MilliGpus;

namespace {

Bytes mean_memory_of(const scheduler::ClusterShape& shape) {
  if (shape.types() == 1) return shape.gpu_memory;
  Bytes sum{};
  for (int type = 0; type < shape.types(); ++type) {
    sum += static_cast<double>(shape.gpus_of_type(type)) * shape.memory_of_type(type);
  }
  return Bytes{sum.value / shape.gpus()};
}

}  // namespace

GpuLog::GpuLog(results::Recorder& recorder, const scheduler::ClusterShape& shape)
    : recorder_(recorder),
      shape_(shape),
      gpus_(static_cast<std::size_t>(shape.gpus())),
      gpus_up_(shape.gpus()),
      mean_memory_(mean_memory_of(shape)) {}

void GpuLog::run(const scheduler::Allocation& allocation, int attempts, Instant at) {
  cut(at);
  running_ += attempts;
  const MilliGpus share = attempts * allocation.share;
  for (const auto& slot : allocation.slots) change(slot.gpu, attempts, share, at);
}

void GpuLog::granted(const scheduler::Allocation& allocation, Instant at) {
  run(allocation, +1, at);
}

void GpuLog::freed(const scheduler::Allocation& allocation, Instant at) {
  run(allocation, -1, at);
}

void GpuLog::suspended(const scheduler::Allocation& allocation, Instant at) {
  run(allocation, -1, at);
  ++suspended_;
}

void GpuLog::resumed(const scheduler::Allocation& allocation, Instant at) {
  run(allocation, +1, at);
  --suspended_;
}

void GpuLog::node_changed(NodeId node, bool up, Instant at) {
  cut(at);
  gpus_up_ += up ? shape_.gpus_on(node) : -shape_.gpus_on(node);
}

void GpuLog::gpu_lost(Instant at) {
  cut(at);
  --gpus_up_;
}

void GpuLog::change(GpuId id, int tenants, MilliGpus share, Instant at) {
  Gpu& gpu = gpus_[id.index()];
  if (gpu.tenants >= 1) gpu.held += at - gpu.since;
  gpu.allocated += scheduler::gpu_time(at - gpu.since, gpu.share_held());
  if (gpu.tenants >= 2) gpu.shared += at - gpu.since;
  const bool was_held = gpu.tenants > 0;
  allocated_ -= gpu.share_held();
  gpu.tenants += tenants;
  gpu.share += share;
  gpu.since = at;
  allocated_ += gpu.share_held();
  tenants_ += tenants;
  gpus_held_ += static_cast<int>(gpu.tenants > 0) - static_cast<int>(was_held);
}

void GpuLog::decided(std::size_t queued, const scheduler::Cluster& cluster, Instant at) {
  cut(at);
  if (mean_memory_ > Bytes{}) memory_used_ = cluster.memory_in_use() / mean_memory_;
  if (!open_since_) open_since_ = at;
  queued_ = static_cast<std::int64_t>(queued);
}

void GpuLog::cut(Instant at) {
  if (!open_since_ || at <= *open_since_) return;
  recorder_.add(results::UtilisationRow{.begin = to_seconds(*open_since_),
                                        .end = to_seconds(at),
                                        .gpus = gpus_up_,
                                        .gpus_held = gpus_held_,
                                        .tenants = tenants_,
                                        .queued_jobs = queued_,
                                        .running_jobs = running_,
                                        .suspended_jobs = suspended_,
                                        .gpus_allocated = allocated_.gpus(),
                                        .memory_used = memory_used_});
  open_since_ = at;
}

void GpuLog::device_worked(const scheduler::Allocation& allocation, const StepWindow& window) {
  const Duration busy = window.steps * window.device_busy;
  for (const auto& slot : allocation.slots) gpus_[slot.gpu.index()].busy += busy;
}

void GpuLog::write(const NodeLog& nodes, std::span<const double> prices, Instant at) {
  cut(at);
  for (int id = 0; id < shape_.gpus(); ++id) {
    change(GpuId{id}, 0, MilliGpus{}, at);
    const Gpu& gpu = gpus_[static_cast<std::size_t>(id)];
    const NodeId node = shape_.node_of(GpuId{id});
    const int type = shape_.type_of(GpuId{id});
    recorder_.add(
        results::GpuRow{.gpu = id,
                        .node = node.value(),
                        .type = shape_.type_name(type),
                        .held = to_seconds(gpu.held),
                        .shared = to_seconds(gpu.shared),
                        .busy = to_seconds(gpu.busy),
                        .allocated = to_seconds(gpu.allocated),
                        .powered = to_seconds(at - Instant{} - nodes.asleep(node)),
                        .price = prices.empty() ? -1 : prices[static_cast<std::size_t>(type)]});
  }
}

}  // namespace mimus::emulator
