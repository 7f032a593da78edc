// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/slices_law.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/fields.hpp"

namespace mimus::emulator {
namespace {

/// A tenant that asks for less than this counts as idle.
constexpr double kIdle = 1e-12;

/// Beside more tenants that do not always compute, others count with their mean.
constexpr std::size_t kMostPhases = 5;

struct Sometimes {
  double asked = 0.0;
  double presence = 1.0;
};

/// Device time per second that each tenant with a larger request gets. `asked` is in descending
/// order. While at least two tenants are busy, all slices pay for switching. The time that is left
/// for the last busy tenant does not.
double fair_share(const std::vector<double>& asked, double switching) {
  const double dearer = 1.0 + switching;
  const double others = std::accumulate(asked.begin() + 1, asked.end(), 0.0);
  const double alone = 1.0 - dearer * (others + asked[1]);
  if (alone >= 0.0) return asked[1] + alone;
  double left = 1.0 / dearer;  // at least two tenants get less than they ask for
  for (std::size_t i = asked.size(); i-- > 0;) {
    const double share = left / static_cast<double>(i + 1);
    if (asked[i] > share) return share;
    left -= asked[i];
  }
  return asked[0];
}

}  // namespace

std::string SlicesLaw::name() const {
  return fmt::format("slices(switching {:g})", settings_.switching);
}

double SlicesLaw::slowdown_among(double own, std::vector<double> asked) const {
  if (asked.empty()) return 1.0;
  asked.push_back(own);
  std::sort(asked.begin(), asked.end(), std::greater<>{});
  return std::max(1.0, own / fair_share(asked, settings_.switching));
}

/// The mean pace over all combinations of co-tenants that compute at the same time.
double SlicesLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  const double own = std::max(kIdle, tenant.utilisation);
  std::vector<double> always;
  std::vector<Sometimes> sometimes;
  for (const GpuTenant& other : beside) {
    const double asked = std::max(kIdle, other.utilisation);
    if (other.presence >= 1.0) {
      always.push_back(asked);
    } else if (sometimes.size() < kMostPhases) {
      sometimes.push_back({asked, other.presence});
    } else {
      always.push_back(asked * other.presence);
    }
  }
  double pace = 0.0;
  for (unsigned chosen = 0; chosen < 1U << sometimes.size(); ++chosen) {
    std::vector<double> asked = always;
    double probability = 1.0;
    for (std::size_t i = 0; i < sometimes.size(); ++i) {
      const bool computes = (chosen >> i & 1U) != 0;
      probability *= computes ? sometimes[i].presence : 1.0 - sometimes[i].presence;
      if (computes) asked.push_back(sometimes[i].asked);
    }
    pace += probability / slowdown_among(own, std::move(asked));
  }
  return std::max(1.0, 1.0 / pace);
}

Choice<SharingLaw> slices_choice() {
  return choice<SharingLaw, SlicesLaw>(
      "slices", "in turns, by equal time slices, as on GPUs without MPS",
      {field("switching", &SlicesLaw::Settings::switching, kNotNegative,
             "overhead of a slice while two tenants are busy, as a fraction of it; 0.07 was "
             "measured on an H100")});
}

}  // namespace mimus::emulator
