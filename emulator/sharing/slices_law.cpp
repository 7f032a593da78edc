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

/// What a tenant gets on average if each other one wants the device with the probability of its
/// presence, independently of the rest.
double mean_share(std::span<const GpuTenant> beside, double switching) {
  std::vector<double> probability{1.0};  // by the number of others that want it
  for (const GpuTenant& other : beside) {
    probability.push_back(0.0);
    for (std::size_t n = probability.size() - 1; n > 0; --n) {
      probability[n] += other.presence * (probability[n - 1] - probability[n]);
    }
    probability[0] *= 1.0 - other.presence;
  }
  double share = probability[0];
  for (std::size_t n = 1; n < probability.size(); ++n) {
    share += probability[n] / (static_cast<double>(n + 1) * (1.0 + switching));
  }
  return share;
}

}  // namespace

std::string SlicesLaw::name() const {
  return fmt::format("slices(switching {:g})", settings_.switching);
}

double SlicesLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.empty()) return 1.0;
  const double own = std::max(kIdle, tenant.utilisation);
  std::vector<double> asked{own};
  for (const GpuTenant& other : beside) asked.push_back(std::max(kIdle, other.utilisation));
  std::sort(asked.begin(), asked.end(), std::greater<>{});
  const double share =
      std::max(fair_share(asked, settings_.switching), mean_share(beside, settings_.switching));
  return std::max(1.0, own / share);
}

Choice<SharingLaw> slices_choice() {
  return choice<SharingLaw, SlicesLaw>(
      "slices", "in turns, by equal time slices, as on GPUs without MPS",
      {field("switching", &SlicesLaw::Settings::switching, kNotNegative,
             "overhead of a slice while two tenants are busy, as a fraction of it; 0.07 was "
             "measured on an H100")});
}

}  // namespace mimus::emulator
