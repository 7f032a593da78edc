// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/kernels_law.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "emulator/sharing/pairs_law.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

const std::string kProfile = MIMUS_CONFIGS "/profiles/h100-mps.h5";
const std::string kRealPairs = MIMUS_FIDELITY "/measured/h100.json";

std::unique_ptr<SharingLaw> kernels_law(const std::string& yaml,
                                        const workloads::ModelCatalogue* models = nullptr) {
  return make_sharing_law(parse_yaml(yaml, "test.yaml"), {.models = models, .gpu_type = "H100"});
}

std::string fault_of(const std::string& yaml) {
  try {
    (void)kernels_law(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Kernels of 100 us beside kernels of 10 us that keep half of the multiprocessors active, with
// linear terms: a waits 0.5 x 0.1 of its time for b, which waits ten times its own for a.
TEST(KernelsLaw, ShortKernelsWaitForLongOnes) {
  const auto linear = kernels_law(
      "{name: kernels, lengths: {a: 100 us, b: 10 us}, activity: {b: 0.5}, weight: 1, "
      "length_exponent: 1, activity_exponent: 1}");
  const GpuTenant a{.model = "a"};
  const GpuTenant b{.model = "b"};

  EXPECT_NEAR(linear->slowdown(a, std::vector{b}), 1.05, 1e-12);
  EXPECT_NEAR(linear->slowdown(b, std::vector{a}), 11.0, 1e-12);
  EXPECT_NEAR(linear->slowdown(b, std::vector{a, b}), 11.5, 1e-12);
  EXPECT_EQ(linear->slowdown(a, {}), 1.0);
  EXPECT_FALSE(linear->switching());
}

// (0.5)^0.7 x (0.1)^0.72 = 0.61557 x 0.19055; x 0.83 = 0.09736.
TEST(KernelsLaw, HasTheConstantsOfTheH100) {
  const auto fitted =
      kernels_law("{name: kernels, lengths: {a: 100 us, b: 10 us}, activity: {b: 0.5}}");

  EXPECT_NEAR(fitted->slowdown({.model = "a"}, std::vector{GpuTenant{.model = "b"}}), 1.09736,
              1e-5);
}

TEST(KernelsLaw, RefusesWhatItCannotKnow) {
  const auto known = kernels_law("{name: kernels, lengths: {a: 100 us}}");
  EXPECT_THROW((void)known->slowdown({.model = "a"}, std::vector{GpuTenant{.model = "b"}}),
               UsageError);
  EXPECT_THAT(fault_of("kernels"), HasSubstr("\"lengths\""));
  EXPECT_THAT(fault_of("{name: kernels, lengths: {a: 1 us}, activity: {b: 1}}"), HasSubstr("b"));
  EXPECT_THAT(fault_of("{name: kernels, lengths: {a: 1 us}, profile: p.h5}"),
              HasSubstr("\"profile\""));
}

/// Mean over pairs of how far the law is off the measured share of its speed that a tenant keeps.
struct Errors {
  std::vector<double> points;
  void add(double predicted, double measured) {
    points.push_back(100.0 * std::abs(1.0 / predicted - 1.0 / measured));
  }
  [[nodiscard]] double mean() const {
    return std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
  }
};

// Synthetic jobs under MPS on an H100: from how seven models run alone it follows how their 49
// ordered pairs do. The constants were fitted to these. A constant share is 22 points off.
TEST(KernelsLaw, PredictsTheMeasuredPairsOfAnH100) {
  const auto catalogue = workloads::ModelCatalogue::built_in();
  const auto fitted = kernels_law("{name: kernels, profile: " + kProfile + "}", &catalogue);
  Errors errors;
  for (const auto& [pair, measured] : read_pairs(kProfile, &catalogue, "H100").on_one_gpu) {
    if (pair.batch == 0) continue;
    const GpuTenant own{.model = pair.model, .batch = pair.batch};
    errors.add(fitted->slowdown(own, std::vector{GpuTenant{.model = pair.beside}}), measured);
  }

  EXPECT_EQ(errors.points.size(), 49U);
  EXPECT_LE(errors.mean(), 3.0);
}

// Real PyTorch jobs, to which nothing was fitted: 36 ordered pairs of six models.
TEST(KernelsLaw, PredictsPairsOfRealJobs) {
  std::ifstream file(kRealPairs);
  const auto measured = nlohmann::json::parse(file);
  std::string lengths;
  std::string activity;
  for (const auto& alone : measured.at("solo")) {
    const std::string model = alone.at("model");
    if (alone.at("precision") != "bf16" || model == "deepspeech2") continue;
    const auto shown = [&](const auto& pair) {
      return pair.at("model") == model && pair.at("per_gpu_batch") == alone.at("per_gpu_batch");
    };
    const auto& pairs = measured.at("pairs");
    if (std::none_of(pairs.begin(), pairs.end(), shown)) continue;
    const double length = alone.at("step_mean").get<double>() / alone.at("kernels").get<double>();
    lengths += fmt::format("{}: {:.3f} us, ", model, 1e6 * length);
    activity += fmt::format("{}: {}, ", model, alone.at("sm_activity").get<double>());
  }
  const auto fitted = kernels_law(
      fmt::format("{{name: kernels, lengths: {{{}}}, activity: {{{}}}}}", lengths, activity));
  Errors errors;
  for (const auto& pair : measured.at("pairs")) {
    const std::string own = pair.at("model");
    const std::string other = pair.at("co_model");
    if (pair.at("sharing") != "mps" || own == "deepspeech2" || other == "deepspeech2") continue;
    const double predicted =
        fitted->slowdown({.model = own}, std::vector{GpuTenant{.model = other}});
    errors.add(predicted, pair.at("slowdown").get<double>());
  }

  EXPECT_EQ(errors.points.size(), 36U);
  EXPECT_LE(errors.mean(), 4.0);
}

}  // namespace
}  // namespace mimus::emulator
