// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mimus::fake_cuda {

/// What the environment says about the devices that do not exist.
struct Settings {
  int devices = 8;                                   ///< MIMUS_FAKE_CUDA_DEVICES
  std::size_t memory = std::size_t{80'000'000'000};  ///< MIMUS_FAKE_CUDA_MEMORY, bytes of each
  std::size_t pinned =
      std::size_t{80'000'000'000};  ///< MIMUS_FAKE_CUDA_PINNED, bytes that a process may pin
  std::vector<std::string> names;   ///< MIMUS_FAKE_CUDA_NAMES: of the first, by comma
  std::chrono::microseconds kernel_time{0};  ///< MIMUS_FAKE_CUDA_KERNEL_US
  std::int64_t link_mb_per_s =
      0;  ///< MIMUS_FAKE_CUDA_LINK: of copies to the host or from it; 0: any
  std::chrono::microseconds collective_time{0};  ///< MIMUS_FAKE_NCCL_US, at least
  int slow_algorithm = -1;                       ///< MIMUS_FAKE_CUDA_SLOW_ALGORITHM, of cuDNN
  std::chrono::seconds patience{20};             ///< MIMUS_FAKE_CUDA_PATIENCE: see Device
  std::string report;                            ///< MIMUS_FAKE_CUDA_REPORT: a path, see count()
  std::string drop_member;  ///< MIMUS_FAKE_NCCL_DROP: "rank:operation", or "rank:split"
  std::string full_member;  ///< MIMUS_FAKE_NCCL_FULL: "rank:communicator", see finds_device_full()
  std::chrono::milliseconds late_estimate{0};  ///< MIMUS_FAKE_NCCL_ESTIMATE_MS, the first
};
[[nodiscard]] const Settings& settings();

// The device that is pretended: an H100, whatever its name.
inline constexpr int kMultiprocessors = 132;
inline constexpr int kComputeMajor = 9;
inline constexpr int kMostBlocks = 2147483647;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr int kThreadsPerMultiprocessor = 2048;
inline constexpr int kBlocksPerMultiprocessor = 32;
inline constexpr std::size_t kSharedPlain = 48 * 1024;
inline constexpr std::size_t kSharedMost = 227 * 1024;
inline constexpr std::size_t kSharedPerMultiprocessor = 228 * 1024;

/// Says on stderr that the program used an interface wrongly; "fake CUDA: " comes before it.
void complain(const std::string& what);

/// Counts something by name. On an orderly exit the counts of the process go to the file
/// <report>.<pid>, a line "<count> <name>" each.
void count(const std::string& what, std::int64_t times = 1);
void write_counts();

}  // namespace mimus::fake_cuda
