// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/host_floors.hpp"

#include <algorithm>

namespace mimus::emulator {

using kernels::PaceClock;

void HostFloors::heard(int host) {
  ++at(host).heard;
  apply(at(host));
}

void HostFloors::report(int host, const PaceClock::Report& report) {
  at(host).latest = report;
  apply(at(host));
}

void HostFloors::forget(int host, std::int64_t given, std::int64_t heard) {
  at(host).given -= given;
  at(host).heard -= heard;
}

void HostFloors::lose(int host) {
  at(host) = {};
  at(host).lost = true;
}

void HostFloors::apply(Host& host) {
  if (host.lost || !host.latest || host.latest->told > host.heard) return;
  host.known = *host.latest;
  host.latest.reset();
}

std::int64_t HostFloors::least_of_others(int host) const {
  std::int64_t least = PaceClock::kWallEnd;
  for (int other = 1; other < count(); ++other) {
    if (other != host) least = std::min(least, this->least(other));
  }
  return least;
}

bool HostFloors::has_taken_up(int host) const {
  const Host& one = hosts_[static_cast<std::size_t>(host)];
  return one.known.taken_up >= one.given;
}

}  // namespace mimus::emulator
