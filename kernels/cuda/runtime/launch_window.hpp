// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/time.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// Keeps the host from running so far ahead of a stream that a launch would block inside the
/// driver, where a lost gang member could not be noticed. Like a framework's host code, it also
/// launches at most one kernel per launch gap.
class LaunchWindow {
 public:
  /// The size of a launch on a stream.
  struct Size {
    std::int64_t commands = 1;  ///< at most
    std::int64_t kernels = 1;   ///< of the framework's launch that it represents
  };
  /// True abandons the wait.
  using Poll = std::function<bool(WallInstant now)>;

  explicit LaunchWindow(Duration launch_gap) : gap_(launch_gap) {}

  /// Call before each launch on `stream`; false when `poll` abandoned the wait.
  [[nodiscard]] bool admit(cudaStream_t stream, const Size& launch, const Poll& poll);

 private:
  /// The driver takes 1,024 commands before it blocks; the rest is for marks and waits. A larger
  /// launch is submitted alone.
  static constexpr std::int64_t kMostAhead = 640;
  static constexpr std::int64_t kCommandsPerFence = 128;
  /// Of any two consecutive fences, one represents more than half of kCommandsPerFence.
  static constexpr std::size_t kFences = 12;

  struct Fence {
    Event event;
    std::int64_t commands = 0;  ///< since the fence before
  };

  [[nodiscard]] bool make_room(cudaStream_t stream, std::int64_t commands, const Poll& poll);
  [[nodiscard]] bool keep_pace(std::int64_t kernels, const Poll& poll);
  void mark(cudaStream_t stream);
  [[nodiscard]] bool pass_oldest(const Poll& poll);

  Duration gap_;
  WallInstant next_{};
  std::int64_t ahead_ = 0;        ///< commands that the device may not have ended
  std::int64_t since_fence_ = 0;  ///< of those, behind the last fence
  std::size_t oldest_ = 0;
  std::size_t marked_ = 0;  ///< fences that the device may not have passed
  std::array<Fence, kFences> fences_;
};

}  // namespace mimus::kernels::cuda
