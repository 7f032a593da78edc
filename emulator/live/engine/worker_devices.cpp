// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/worker_devices.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/live/world/device_type.hpp"

namespace mimus::emulator {

void WorkerDevices::take_ready(const Envelope& envelope) {
  const auto message = decode<CellReady>(envelope.bytes);
  names_[static_cast<std::size_t>(envelope.source)] = message.device;
  gpus_per_device_ = std::max(gpus_per_device_, static_cast<int>(message.gpus_per_device));
  if (mps_.empty() || mps_ == "active") mps_ = message.mps.empty() ? mps_ : message.mps;
  if (message.samples) sampling_.push_back(envelope.source);
  if (!message.samples_missing.empty()) samples_missing_.insert(message.samples_missing);
}

void WorkerDevices::check_types() const {
  if (!cell_.engine.on_cuda()) return;
  const scheduler::ClusterShape& shape = cell_.cluster.shape;
  for (std::size_t rank = 1; rank < names_.size(); ++rank) {
    const GpuId gpu{static_cast<std::int64_t>(rank - 1) / shape.lanes_per_gpu};
    if (names_[rank].empty() || gpu.value() >= shape.gpus()) continue;
    const std::string& type = cell_.cluster.gpu_of(gpu).name;
    if (shape.types() > 1) {
      check_device_type(names_[rank], gpu, type, static_cast<int>(rank));
    } else if (!is_of_type(names_[rank], type)) {
      log::warn(
          "the devices are \"{}\", but cluster.gpu is {}: memory, power and launch gaps are those "
          "of {}",
          names_[rank], type, type);
      return;
    }
  }
}

bool WorkerDevices::take_sample(const Envelope& envelope) {
  const auto message = decode<DeviceSampleMessage>(envelope.bytes);
  if (message.cell != index_) return false;
  sink_.take(message, cell_.emulated(WallInstant{Duration{message.time_ns}}));
  return message.was_asked_for;
}

void WorkerDevices::take_early() {
  for (const auto& [rank, sample] : std::exchange(early_, {})) take_sample(sample);
}

}  // namespace mimus::emulator
