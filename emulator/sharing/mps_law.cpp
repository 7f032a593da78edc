// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/mps_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/fields.hpp"

namespace mimus::emulator {
namespace {

/// Fitted to both types below together, with slope = 1 / capacity.
constexpr double kCapacity = 0.88;

struct Fitted {
  std::string_view gpu_type;
  MpsLaw::Settings settings;
};

/// Fitted to 154 ordered pairs of ResNet-18 and ResNet-50 that Gavel measured under MPS (OSDI'20):
/// tests/unit/emulator/sharing/gavel_pairs_test.cpp, docs/validity.md.
constexpr Fitted kFitted[] = {
    {"V100", {.capacity = 1.0, .slope = 0.9, .length = 0.3}},
    {"P100", {.capacity = -2.8, .slope = 0.2, .length = 0.1}},
};

struct MpsKeys {
  std::optional<double> capacity, slope, length;
};

MpsLaw::Settings settings_of(const MpsKeys& keys, std::string_view gpu_type) {
  MpsLaw::Settings settings = MpsLaw::fitted(gpu_type);
  if (keys.capacity) settings = {.capacity = *keys.capacity, .slope = 1.0 / *keys.capacity};
  if (keys.slope) settings.slope = *keys.slope;
  if (keys.length) settings.length = *keys.length;
  return settings;
}

}  // namespace

MpsLaw::Settings MpsLaw::fitted(std::string_view gpu_type) {
  for (const Fitted& known : kFitted) {
    if (known.gpu_type == gpu_type) return known.settings;
  }
  return {.capacity = kCapacity, .slope = 1.0 / kCapacity};
}

std::string MpsLaw::name() const {
  const std::string length =
      settings_.length == 0.0 ? "" : fmt::format(", length {:g}", settings_.length);
  return fmt::format("mps(capacity {:g}, slope {:.3g}{})", settings_.capacity, settings_.slope,
                     length);
}

double MpsLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.empty()) return 1.0;
  std::vector<double> asked{tenant.utilisation};
  for (const GpuTenant& other : beside) asked.push_back(other.utilisation);
  // Summed in ascending order, so that the result is the same for every tenant.
  std::sort(asked.begin(), asked.end());
  double sum = 0.0;
  for (const double utilisation : asked) sum += utilisation;
  const double beyond = settings_.slope * (sum - settings_.capacity);
  return std::max(1.0, 1.0 + beyond * loss_beside(tenant, beside));
}

double MpsLaw::loss_beside(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (settings_.length == 0.0) return 1.0;
  std::vector<double> factors;
  for (const GpuTenant& other : beside) {
    const Duration shorter = std::min(tenant.device_time, other.device_time);
    if (shorter <= Duration{}) {
      factors.push_back(1.0);
      continue;
    }
    const double ratio = to_seconds(other.device_time) / to_seconds(tenant.device_time);
    factors.push_back(std::pow(ratio, settings_.length));
  }
  std::sort(factors.begin(), factors.end());
  double sum = 0.0;
  for (const double factor : factors) sum += factor;
  return sum / static_cast<double>(factors.size());
}

Choice<SharingLaw> mps_choice(const SharingInputs& inputs) {
  return choice_from<SharingLaw>(
      "mps", "side by side, slowed by the sum of utilisations",
      Fields<MpsKeys>{
          field("capacity", &MpsKeys::capacity, between(-10.0, 100.0),
                "sum of utilisations up to which tenants do not slow each other; below 0 all "
                "tenants do; default: 1 on V100, -2.8 on P100, 0.88 on others"),
          field("slope", &MpsKeys::slope, kPositive,
                "slowdown per utilisation beyond the capacity; default: 0.9 on V100, 0.2 on P100, "
                "else 1 / capacity"),
          field(
              "length", &MpsKeys::length, between(0.0, 2.0),
              "exponent of (device time of the others ÷ its own), which multiplies a tenant's "
              "slowdown; default: 0.3 on V100, 0.1 on P100, 0 on others or if capacity is given")},
      [gpu = inputs.gpu_type](const MpsKeys& keys, const YamlReader& reader) {
        if (keys.capacity && *keys.capacity <= 0.0 && !keys.slope) {
          reader.fail(
              "capacity",
              "does not determine how much tenants are slowed if it is not > 0; give slope");
        }
        return std::make_unique<MpsLaw>(settings_of(keys, gpu));
      });
}

}  // namespace mimus::emulator
