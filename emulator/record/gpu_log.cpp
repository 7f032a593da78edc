// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/gpu_log.hpp"

#include <algorithm>

namespace mimus::emulator {

GpuLog::GpuLog(results::Recorder& recorder, const scheduler::ClusterShape& shape)
    : recorder_(recorder), tenants_(static_cast<std::size_t>(shape.gpus())) {
  for (int gpu = 0; gpu < shape.gpus(); ++gpu) {
    results::GpuRow row;
    row.gpu = gpu;
    row.node = shape.node_of(GpuId{gpu}).value();
    row.type = shape.gpu_type;
    gpus_.push_back(row);
  }
}

void GpuLog::changed(const scheduler::Cluster& cluster, std::size_t queued, std::size_t running,
                     Instant at) {
  close(at);
  open_ = {};
  open_.begin = to_seconds(at);
  open_.queued_jobs = static_cast<std::int64_t>(queued);
  open_.running_jobs = static_cast<std::int64_t>(running);
  for (const auto& gpu : cluster.gpus()) {
    tenants_[gpu.id.index()] = gpu.tenants.size();
    open_.gpus += gpu.up ? 1 : 0;
    open_.gpus_held += gpu.idle() ? 0 : 1;
    open_.tenants += static_cast<std::int64_t>(gpu.tenants.size());
  }
  has_open_ = true;
}

void GpuLog::close(Instant at) {
  if (!has_open_) return;
  has_open_ = false;
  open_.end = to_seconds(at);
  const double span = open_.end - open_.begin;
  if (span <= 0.0) return;  // several changes at one instant leave no interval behind
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    if (tenants_[gpu] >= 1) gpus_[gpu].held += span;
    if (tenants_[gpu] >= 2) gpus_[gpu].shared += span;
  }
  recorder_.add(open_);
}

void GpuLog::device_worked(const scheduler::Allocation& allocation, const StepWindow& window) {
  const double busy = to_seconds(window.device_busy) * static_cast<double>(window.steps);
  for (const auto& slot : allocation.slots) gpus_[slot.gpu.index()].busy += busy;
}

void GpuLog::write(Instant at) {
  close(at);
  for (const auto& gpu : gpus_) recorder_.add(gpu);
}

}  // namespace mimus::emulator
