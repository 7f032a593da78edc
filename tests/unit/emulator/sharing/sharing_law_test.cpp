// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/sharing_law.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

std::unique_ptr<SharingLaw> law(const std::string& yaml, const std::string& gpu = "T4") {
  return make_sharing_law(parse_yaml(yaml, "test.yaml"), {.models = nullptr, .gpu_type = gpu});
}

/// Slowdown of the first of several tenants with these utilisations.
double first_of(const SharingLaw& law, const std::vector<double>& utilisations) {
  std::vector<GpuTenant> tenants;
  for (const double utilisation : utilisations) tenants.push_back({utilisation, ""});
  return law.slowdown(tenants.front(), std::span(tenants).subspan(1));
}

std::string error_of(const std::string& yaml) {
  try {
    (void)law(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Utilisations of tenants, and the first one's slowdown under two laws: when tenants take turns,
/// and when all are slowed equally by 0.52 per utilisation beyond 1 (co-located pairs on an RTX
/// 3090).
struct HandCase {
  std::vector<double> utilisations;
  double slices;
  double side_by_side;
};

TEST(SharingLaw, AgreesWithCasesByHand) {
  const auto slices = law("slices");
  const auto side_by_side = law("{name: mps, capacity: 1, slope: 0.52}");
  const std::vector<HandCase> cases{{{1, 1}, 2, 1.52},           {{1, 0.86}, 2, 1.447},
                                    {{0.86, 1}, 1.72, 1.447},    {{0.85, 0.70}, 1.70, 1.286},
                                    {{0.70, 0.85}, 1.40, 1.286}, {{0.9, 0.2}, 1.125, 1.052},
                                    {{0.2, 0.9}, 1, 1.052},      {{1, 0.3}, 1.429, 1.156},
                                    {{0.3, 1}, 1, 1.156},        {{0.8, 0.8, 0.8}, 2.4, 1.728}};

  for (const HandCase& one : cases) {
    EXPECT_NEAR(first_of(*slices, one.utilisations), one.slices, 1e-3);
    EXPECT_NEAR(first_of(*side_by_side, one.utilisations), one.side_by_side, 1e-3);
  }
}

TEST(SharingLaw, TenantsThatFitAreNotSlowed) {
  for (const char* mode : {"none", "slices", "{name: slices, switching: 0.2}", "mps"}) {
    EXPECT_EQ(first_of(*law(mode), {0.03, 0.03}), 1.0) << mode;
    EXPECT_EQ(first_of(*law(mode), {1.0}), 1.0) << mode;
  }
}

// Two tenants that are always busy pay for every slice: 2 x 1.1. A tenant that uses a fifth of the
// time has slices whose two ends are both paid for: 1 - 0.2 x (1 + 2 x 0.1) = 0.76 are left. With
// thirds: 1 / (3 x 1.1) each.
TEST(SharingLaw, SwitchingIsPaidWhileTwoAreBusy) {
  const auto slices = law("{name: slices, switching: 0.1}");

  EXPECT_NEAR(first_of(*slices, {1, 1}), 2.2, 1e-12);
  EXPECT_NEAR(first_of(*slices, {1, 0.2}), 1 / 0.76, 1e-12);
  EXPECT_EQ(first_of(*slices, {0.2, 1}), 1.0);
  EXPECT_NEAR(first_of(*slices, {1, 1, 1}), 3.3, 1e-12);
  EXPECT_NEAR(first_of(*slices, {1, 1, 0.1}), 2 / (1 / 1.1 - 0.1), 1e-12);
}

// 1.2 / 0.8.
TEST(SharingLaw, WithACapacityAloneSpeedIsDividedByTheSum) {
  EXPECT_NEAR(first_of(*law("{name: mps, capacity: 0.8}"), {0.7, 0.5}), 1.5, 1e-12);
}

TEST(SharingLaw, TheGpuTypeSaysWhatWasFittedToIt) {
  EXPECT_EQ(law("mps", "V100")->name(), "mps(capacity 1, slope 0.9, length 0.3)");
  EXPECT_EQ(law("mps", "A100")->name(), "mps(capacity 0.88, slope 1.14)");
  EXPECT_EQ(law("{name: mps, slope: 2, length: 0}", "V100")->name(), "mps(capacity 1, slope 2)");
  EXPECT_EQ(law("{name: mps, capacity: 0.5}", "V100")->name(), "mps(capacity 0.5, slope 2)");
  EXPECT_THAT(error_of("{name: mps, capacity: 0}"), HasSubstr("give slope"));
}

TEST(SharingLaw, OnlySlicesAreTurns) {
  EXPECT_EQ(law("{name: slices, switching: 0.1}")->switching(), 0.1);
  for (const char* mode : {"none", "mps", "{name: pairs, slowdowns: {a: {b: 2}}}"}) {
    EXPECT_FALSE(law(mode)->switching()) << mode;
  }
}

TEST(SharingLaw, TheOldNameLeadsToTheNewOnes) {
  for (const char* old : {"utilisation", "{name: utilisation, law: sum}"}) {
    EXPECT_THAT(error_of(old),
                testing::AllOf(HasSubstr("test.yaml:1"), HasSubstr("slices"), HasSubstr("mps")));
  }
  EXPECT_THAT(error_of("slice"), HasSubstr("did you mean \"slices\"?"));
}

}  // namespace
}  // namespace mimus::emulator
