// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The standard library of GCC 12 has no time zones. This uses the library that became
// std::chrono's.
#include "workloads/csv/time_zone.hpp"

#include <algorithm>
#include <date/tz.h>
#include <exception>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

const date::tzdb& database() {
  try {
    return date::get_tzdb();
  } catch (const std::exception& error) {
    throw UsageError(
        fmt::format("this machine has no time-zone database ({}); install the package tzdata, or "
                    "give dates an offset such as +08:00",
                    error.what()));
  }
}

[[noreturn]] void refuse(const std::string& name, const date::tzdb& zones) {
  std::vector<std::string> known;
  for (const auto& zone : zones.zones) known.emplace_back(zone.name());
  const std::string nearest = nearest_match(name, known);
  throw UsageError(fmt::format(
      "unknown time zone \"{}\"{} allowed: the {} names of the system's time-zone database, such "
      "as "
      "America/Los_Angeles, Asia/Shanghai or UTC",
      name, nearest.empty() ? ";" : fmt::format("; did you mean \"{}\"?", nearest), known.size()));
}

}  // namespace

TimeZone::TimeZone(const std::string& name) : name_(name) {
  const date::tzdb& zones = database();
  const auto found = std::find_if(zones.zones.begin(), zones.zones.end(),
                                  [&](const auto& zone) { return zone.name() == name; });
  if (found == zones.zones.end()) refuse(name, zones);
  zone_ = &*found;
}

std::optional<Duration> TimeZone::to_utc(Duration shown) const {
  const auto* zone = static_cast<const date::time_zone*>(zone_);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(shown);
  const date::local_info info = zone->get_info(date::local_seconds{seconds});
  if (info.result == date::local_info::nonexistent) return std::nullopt;
  // A time that occurs twice is taken as the first, before clocks were set back.
  return shown - info.first.offset;
}

}  // namespace mimus::workloads
