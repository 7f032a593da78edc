// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/mps_law.hpp"

#include <algorithm>
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
    {"V100", {.capacity = 1.0, .slope = 0.8}},
    {"P100", {.capacity = -2.0, .slope = 0.25}},
};

struct MpsKeys {
  std::optional<double> capacity, slope;
};

MpsLaw::Settings settings_of(const MpsKeys& keys, std::string_view gpu_type) {
  MpsLaw::Settings settings = MpsLaw::fitted(gpu_type);
  if (keys.capacity) settings = {.capacity = *keys.capacity, .slope = 1.0 / *keys.capacity};
  if (keys.slope) settings.slope = *keys.slope;
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
  return fmt::format("mps(capacity {:g}, slope {:.3g})", settings_.capacity, settings_.slope);
}

double MpsLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.empty()) return 1.0;
  std::vector<double> asked{tenant.utilisation};
  for (const GpuTenant& other : beside) asked.push_back(other.utilisation);
  // Summed in ascending order, so that the result is the same for every tenant.
  std::sort(asked.begin(), asked.end());
  double sum = 0.0;
  for (const double utilisation : asked) sum += utilisation;
  return std::max(1.0, 1.0 + settings_.slope * (sum - settings_.capacity));
}

Choice<SharingLaw> mps_choice(const SharingInputs& inputs) {
  return choice_from<SharingLaw>(
      "mps", "side by side, slowed alike by the sum of utilisations",
      Fields<MpsKeys>{field("capacity", &MpsKeys::capacity, between(-10.0, 100.0),
                            "sum of utilisations up to which tenants do not slow each other, or "
                            "below 0 where the least of them do; 1 on V100, -2 on P100 and 0.88 on "
                            "others unless given"),
                      field("slope", &MpsKeys::slope, kPositive,
                            "slowdown per utilisation beyond the capacity; 0.8 on V100, 0.25 on "
                            "P100 unless given, else 1 / capacity")},
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
