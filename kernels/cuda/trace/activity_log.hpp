// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "kernels/kernel_class.hpp"

namespace mimus::kernels::cuda {

/// One kernel, copy or memset as the GPU ran it.
struct DeviceActivity {
  std::uint32_t name = 0;  ///< place in ActivityTrace::names
  std::uint32_t stream = 0;
  WallInstant begin{};
  WallInstant end{};
  std::uint64_t bytes = 0;  ///< of a copy or memset; 0 for kernels
};

struct ActivityName {
  std::string text;  ///< short_kernel_name(), `memcpy HtoD`, `memset`
  KernelClass kind = KernelClass::other;
};

struct ActivityTrace {
  std::vector<ActivityName> names;
  std::vector<DeviceActivity> activities;  ///< in order of their begin
  std::uint64_t dropped = 0;  ///< activities that were not kept: no memory left, or cut off
};

/// Two readings of a device's clock and of the host's at the same moments. Between them, one clock
/// is assumed to drift evenly against the other.
struct ClockPair {
  std::uint64_t device = 0;  ///< [ns]
  WallInstant host{};
};

/// Collects activities within a memory bound: there are many kernels but few names.
class ActivityLog {
 public:
  explicit ActivityLog(std::size_t max_activities) : max_activities_(max_activities) {}

  /// `name` may be mangled; it is classified and shortened once. Times are in the device's clock
  /// [ns].
  void add_kernel(const char* name, std::uint32_t stream, std::uint64_t begin, std::uint64_t end);
  void add_memory(const std::string& name, KernelClass kind, std::uint32_t stream,
                  std::uint64_t begin, std::uint64_t end, std::uint64_t bytes);
  void add_dropped(std::uint64_t count) { dropped_ += count; }

  /// Everything so far, on the host's clock; the log is empty afterwards.
  [[nodiscard]] ActivityTrace take(ClockPair from, ClockPair to);

 private:
  struct Entry {
    std::uint32_t name;
    std::uint32_t stream;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t bytes;
  };
  void add(const Entry& entry);

  std::size_t max_activities_;
  std::map<std::string, std::uint32_t, std::less<>> places_;  // as they came, mangled
  std::vector<ActivityName> names_;
  std::vector<Entry> entries_;
  std::uint64_t dropped_ = 0;
};

}  // namespace mimus::kernels::cuda
