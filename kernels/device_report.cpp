// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_report.hpp"

#include <algorithm>
#include <tuple>

namespace mimus::kernels {
namespace {

/// The entry whose `key` equals `wanted`. Inserts one in order if there is none.
template <class Entry, class Key>
Entry& entry_of(std::vector<Entry>& entries, const Entry& wanted, Key key) {
  const auto at = std::lower_bound(entries.begin(), entries.end(), wanted,
                                   [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  if (at != entries.end() && key(*at) == key(wanted)) return *at;
  return *entries.insert(at, wanted);
}

}  // namespace

void DeviceReport::add(CollectiveOp op, std::int64_t bytes, std::int64_t replicas,
                       Duration measured, std::optional<Duration> estimated,
                       std::int64_t operations) {
  auto& times =
      entry_of(collectives, {.op = op, .bytes = bytes, .replicas = replicas},
               [](const CollectiveTimes& of) { return std::tuple(of.op, of.bytes, of.replicas); });
  times.operations += operations;
  times.measured += measured * operations;
  if (!estimated) return;
  times.estimates += operations;
  times.estimated += *estimated * operations;
}

void DeviceReport::add(cuda::KernelClass kernel_class, std::int64_t launches, Duration time) {
  auto& times = entry_of(kernels, {.kernel_class = kernel_class},
                         [](const KernelTimes& of) { return of.kernel_class; });
  times.launches += launches;
  times.time += time;
}

}  // namespace mimus::kernels
