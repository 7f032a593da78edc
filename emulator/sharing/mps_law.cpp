// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/mps_law.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// Of both types below together, with slope = 1 / capacity.
constexpr double kCapacity = 0.88;

struct Fitted {
  std::string_view gpu_type;
  MpsLaw::Settings settings;
};

/// Fitted to 154 ordered pairs of ResNet-18 and ResNet-50 that Gavel measured under MPS (OSDI'20):
/// tests/unit/emulator/sharing/gavel_pairs_test.cpp, docs/validity.md.
constexpr Fitted kFitted[] = {
    {"V100", {.capacity = 1.0, .slope = 0.8}},
    {"P100", {.capacity = 0.0, .slope = 0.55}},
};

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
  // Summed in ascending order, so that it does not matter who asks.
  std::sort(asked.begin(), asked.end());
  double sum = 0.0;
  for (const double utilisation : asked) sum += utilisation;
  return std::max(1.0, 1.0 + settings_.slope * (sum - settings_.capacity));
}

Choice<SharingLaw> mps_choice(const SharingInputs& inputs) {
  return {
      .name = "mps",
      .summary = "side by side, slowed alike by the sum of utilisations",
      .parameters = {{"capacity", "number", "-", ">= 0",
                      "sum of utilisations up to which tenants do not slow each other; 1 on "
                      "V100, 0 on P100 and 0.88 on others unless given"},
                     {"slope", "number", "-", "> 0",
                      "slowdown per utilisation beyond; 0.8 on V100, 0.55 on P100 unless given, "
                      "else 1 / capacity"}},
      .make = [gpu = inputs.gpu_type](YamlReader& reader) {
        MpsLaw::Settings settings = MpsLaw::fitted(gpu);
        const auto capacity = reader.get_if<double>("capacity", kNotNegative);
        const auto slope = reader.get_if<double>("slope", kPositive);
        if (capacity) settings = {.capacity = *capacity, .slope = 1.0 / *capacity};
        if (slope) settings.slope = *slope;
        if (capacity && *capacity == 0.0 && !slope) {
          reader.fail("capacity", "0 says nothing of how much tenants are slowed; give slope");
        }
        return std::make_unique<MpsLaw>(settings);
      }};
}

}  // namespace mimus::emulator
