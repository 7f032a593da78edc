// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/activity_log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernel_name.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Maps the device's clock to the host's by a straight line through two pairs of readings.
class HostTime {
 public:
  HostTime(ClockPair from, ClockPair to) : from_(from) {
    const auto device = to.device - from.device;
    if (to.device <= from.device || to.host <= from.host) return;
    rate_ = static_cast<double>((to.host - from.host).count()) / static_cast<double>(device);
  }
  [[nodiscard]] WallInstant at(std::uint64_t device) const {
    // The difference is signed: an activity may have begun before the first reading.
    const auto elapsed = static_cast<std::int64_t>(device - from_.device);
    return from_.host + Duration{std::llround(static_cast<double>(elapsed) * rate_)};
  }

 private:
  ClockPair from_;
  double rate_ = 1.0;
};

}  // namespace

void ActivityLog::add_kernel(const char* name, std::uint32_t stream, std::uint64_t begin,
                             std::uint64_t end) {
  const std::string_view key = name == nullptr ? "" : name;
  auto found = places_.find(key);
  if (found == places_.end()) {
    const std::string text = demangled_kernel_name(std::string{key});
    found = places_.emplace(key, static_cast<std::uint32_t>(names_.size())).first;
    names_.push_back({short_kernel_name(text), classify_kernel(text)});
  }
  add({found->second, stream, begin, end, 0});
}

void ActivityLog::add_memory(const std::string& name, KernelClass kind, std::uint32_t stream,
                             std::uint64_t begin, std::uint64_t end, std::uint64_t bytes) {
  const auto [found, is_new] = places_.emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back({name, kind});
  add({found->second, stream, begin, end, bytes});
}

void ActivityLog::add(const Entry& entry) {
  // CUPTI reports no end for an activity that was still running when its buffer was flushed.
  if (entries_.size() >= max_activities_ || entry.end < entry.begin || entry.end == 0) {
    ++dropped_;
  } else {
    entries_.push_back(entry);
  }
}

ActivityTrace ActivityLog::take(ClockPair from, ClockPair to) {
  const HostTime host{from, to};
  ActivityTrace trace{std::exchange(names_, {}), {}, std::exchange(dropped_, 0)};
  trace.activities.reserve(entries_.size());
  for (const auto& entry : std::exchange(entries_, {})) {
    trace.activities.push_back(
        {entry.name, entry.stream, host.at(entry.begin), host.at(entry.end), entry.bytes});
  }
  places_.clear();
  std::stable_sort(trace.activities.begin(), trace.activities.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return trace;
}

}  // namespace mimus::kernels::cuda
