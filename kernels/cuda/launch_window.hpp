// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include "base/time.hpp"
#include "kernels/cuda/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// Keeps the host from running so far ahead of a stream that a launch would block inside the
/// driver, where a lost gang member could not be noticed; and, like a framework's host code, from
/// launching faster than one kernel per launch gap.
class LaunchWindow {
 public:
  /// True abandons the wait.
  using Poll = std::function<bool(WallInstant now)>;

  explicit LaunchWindow(Duration launch_gap) : gap_(launch_gap) {}

  /// Call before each launch on `stream`; false when `poll` abandoned the wait.
  [[nodiscard]] bool admit(cudaStream_t stream, const Poll& poll);

 private:
  /// The driver takes 1,024 launches before it blocks.
  static constexpr int kLaunchesPerFence = 128;
  static constexpr std::size_t kFences = 4;

  [[nodiscard]] bool pass_fence(cudaStream_t stream, const Poll& poll);

  Duration gap_;
  WallInstant next_{};
  int since_fence_ = 0;
  std::size_t oldest_ = 0;
  std::array<Event, kFences> fences_;
};

}  // namespace mimus::kernels::cuda
