// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies between the device and the host.
#include <algorithm>

#include "kernels/cpu/cpu_device.hpp"

namespace mimus::kernels {

void CpuDevice::copy(Bytes amount) {
  const double bytes = amount.value * stretch_.steps / options_.work_scale;
  const auto floats = static_cast<std::size_t>(bytes / sizeof(float));
  const std::size_t half = staging_.size() / 2;
  for (std::size_t done = 0; done < floats;) {
    const std::size_t count = std::min(half, floats - done);
    std::copy_n(staging_.begin(), count, staging_.begin() + static_cast<std::ptrdiff_t>(half));
    done += count;
  }
}

void CpuDevice::copy_input(Bytes input, Duration duration, Duration reading, WallInstant at) {
  copy(input);
  const Duration taken = std::max(slowed(wall(duration), at), wall(reading));
  input_ready_ = options_.paced ? std::max(input_ready_, at) + taken : wall_now();
}

void CpuDevice::copy_spilled(Bytes spilled, Duration duration) {
  copy(spilled);
  if (!options_.paced) return;
  align(stream_ + wall(duration));
  quiet_until(stream_);
}

}  // namespace mimus::kernels
