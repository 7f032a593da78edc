// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/worker_devices.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {

void WorkerDevices::take_ready(const Envelope& envelope) {
  const auto message = decode<CellReady>(envelope.bytes);
  names_[static_cast<std::size_t>(envelope.source)] = message.device;
  gpus_per_device_ = std::max(gpus_per_device_, static_cast<int>(message.gpus_per_device));
  if (mps_.empty() || mps_ == "active") mps_ = message.mps.empty() ? mps_ : message.mps;
  if (message.samples) sampling_.push_back(envelope.source);
  if (!message.samples_missing.empty()) samples_missing_.insert(message.samples_missing);
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
