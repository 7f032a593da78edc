// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "emulator/live/messages/protocol.hpp"
#include "kernels/cuda/monitor/gpu_monitor.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

/// The physical device that a sampler watches, as results name it.
struct SampledDevice {
  std::int32_t cell = 0;  ///< index into the campaign
  std::int64_t gpu = -1;  ///< first GPU of the cluster that the device stands for
  std::string host;
  int device = 0;           ///< CUDA's ordinal on that host
  Duration clock_offset{};  ///< added to this host's clock to get the world's
};

/// Samples a device from its own thread, so that no step waits for the driver. Keeps the samples
/// until the worker sends them, because only the worker's thread may use MPI.
class DeviceSampler {
 public:
  /// Takes the first sample at once.
  DeviceSampler(std::shared_ptr<const kernels::cuda::Nvml> nvml, kernels::cuda::NvmlDevice watched,
                SampledDevice device, Duration interval);
  DeviceSampler(const DeviceSampler&) = delete;
  DeviceSampler& operator=(const DeviceSampler&) = delete;
  /// Ends the thread; samples that were not taken are lost.
  ~DeviceSampler() = default;

  /// The samples since the last call.
  [[nodiscard]] std::vector<DeviceSampleMessage> take();
  /// Takes a sample now, marked as requested.
  void sample_now();

 private:
  void run(const std::stop_token& stop);

  kernels::cuda::GpuMonitor monitor_;
  const SampledDevice device_;
  const Duration interval_;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any asked_;
  bool is_asked_ = false;
  std::vector<DeviceSampleMessage> samples_;
  std::jthread thread_;  ///< last: joined before the rest is destroyed
};

/// A sample as it is recorded, without time and place. Values that a device does not give are -1.
[[nodiscard]] results::DeviceSampleRow sample_row(const kernels::cuda::GpuSample& sample);

}  // namespace mimus::emulator
