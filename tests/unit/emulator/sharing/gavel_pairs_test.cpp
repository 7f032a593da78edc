// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the law of tenants side by side with pairs that Gavel measured under MPS (folder
// data/gavel of MIMUS_SHARED): ResNet-18 and ResNet-50 on V100 and P100 in single precision.
// Utilisation is the modelled device time divided by the measured step without co-tenants.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "emulator/sharing/mps_law.hpp"
#include "emulator/sharing/slices_law.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

/// The measured share of its speed that one of two tenants keeps.
struct Pair {
  std::string names;  ///< of both, in alphabetical order
  GpuTenant own;
  GpuTenant other;
  double kept = 0.0;
};
using Pairs = std::vector<Pair>;

/// Parses "('ResNet-18 (batch size 16)', 1)" into model and batch. Nothing for others and for
/// gangs.
std::optional<std::pair<std::string, std::int64_t>> resnet_of(const std::string& job) {
  const std::string batch = " (batch size ";
  const auto at = job.find(batch);
  if (!job.starts_with("('ResNet-") || !job.ends_with("', 1)") || at == std::string::npos) {
    return std::nullopt;
  }
  return std::pair{"resnet" + job.substr(9, at - 9), std::stoll(job.substr(at + batch.size()))};
}

std::optional<nlohmann::json> throughputs() {
  const char* shared = std::getenv("MIMUS_SHARED");
  if (shared == nullptr) return std::nullopt;
  std::ifstream file(std::filesystem::path(shared) / "data/gavel/simulation_throughputs.json");
  if (!file) return std::nullopt;
  return nlohmann::json::parse(file);
}

class GavelPairs : public testing::Test {
 protected:
  void SetUp() override {
    const auto measured = throughputs();
    if (!measured) GTEST_SKIP() << "no MIMUS_SHARED with data/gavel";
    read(measured->at("v100"), "V100");
    read(measured->at("p100"), "P100");
  }

  void read(const nlohmann::json& jobs, const std::string& gpu) {
    for (const auto& [job, row] : jobs.items()) {
      if (!resnet_of(job)) continue;
      for (const auto& [other, speeds] : row.items()) {
        if (!resnet_of(other) || speeds.at(0) <= 0.0 || speeds.at(1) <= 0.0) continue;
        pairs_[gpu].push_back({std::min(job, other) + std::max(job, other), tenant(jobs, job, gpu),
                               tenant(jobs, other, gpu),
                               speeds.at(0).get<double>() / row.at("null").get<double>()});
      }
    }
  }

  GpuTenant tenant(const nlohmann::json& jobs, const std::string& job,
                   const std::string& gpu) const {
    const auto [name, batch] = *resnet_of(job);
    workloads::Model model = models_.at(name);
    model.precision = workloads::Precision::fp32;
    const auto plan = kernels::make_plan(model, kernels::gpu_spec(gpu), {.per_gpu_batch = batch});
    const double rate = jobs.at(job).at("null").get<double>();
    GpuTenant tenant;
    tenant.utilisation = std::min(1.0, to_seconds(plan.device_time()) * rate);
    tenant.device_time = plan.device_time();
    return tenant;
  }

  [[nodiscard]] Pairs all() const {
    Pairs both = pairs_.at("V100");
    both.insert(both.end(), pairs_.at("P100").begin(), pairs_.at("P100").end());
    return both;
  }

  std::map<std::string, Pairs> pairs_;
  workloads::ModelCatalogue models_ = workloads::ModelCatalogue::built_in();
};

double told(const SharingLaw& law, const Pair& pair) {
  return 1.0 / law.slowdown(pair.own, {&pair.other, 1});
}

/// Mean absolute error [percentage points of the speed alone].
double error_of(const SharingLaw& law, const Pairs& pairs) {
  double sum = 0.0;
  for (const Pair& pair : pairs) sum += std::abs(told(law, pair) - pair.kept);
  return 100.0 * sum / static_cast<double>(pairs.size());
}

double median(const Pairs& pairs) {
  std::vector<double> kept;
  for (const Pair& pair : pairs) kept.push_back(pair.kept);
  std::sort(kept.begin(), kept.end());
  return kept[kept.size() / 2];
}

double error_of(double constant, const Pairs& pairs) {
  double sum = 0.0;
  for (const Pair& pair : pairs) sum += std::abs(constant - pair.kept);
  return 100.0 * sum / static_cast<double>(pairs.size());
}

/// The settings with the smallest error on `pairs`. Unless `all_are_free`, only the capacity is:
/// the slope is 1 / capacity, and lengths of kernels do not matter.
MpsLaw::Settings fit(const Pairs& pairs, bool all_are_free) {
  MpsLaw::Settings best;
  double least = 1e9;
  const auto consider = [&](const MpsLaw::Settings& settings) {
    const double error = error_of(MpsLaw(settings), pairs);
    if (error >= least) return;
    least = error;
    best = settings;
  };
  if (!all_are_free) {
    for (int c = 1; c <= 30; ++c) consider({.capacity = 0.05 * c, .slope = 1.0 / (0.05 * c)});
    return best;
  }
  // First a coarse grid, and then the neighbours of its best point.
  for (int c = -15; c <= 7; ++c) {
    for (int k = 1; k <= 20; ++k) {
      for (int l = 0; l <= 5; ++l) {
        consider({.capacity = 0.2 * c, .slope = 0.1 * k, .length = 0.1 * l});
      }
    }
  }
  const MpsLaw::Settings near = best;
  for (int c = -3; c <= 3; ++c) {
    for (int k = -1; k <= 1; ++k) {
      for (int l = -1; l <= 1; ++l) {
        const double slope = near.slope + 0.05 * k;
        const double length = std::max(0.0, near.length + 0.05 * l);
        consider({.capacity = near.capacity + 0.05 * c, .slope = slope, .length = length});
      }
    }
  }
  return best;
}

/// Mean error on pairs that were excluded from the fit, a fifth of them at a time.
template <class Fit, class Error>
double held_out(const Pairs& pairs, Fit&& fitted_to, Error&& error_on) {
  constexpr std::size_t kFolds = 5;
  std::set<std::string> names;
  for (const Pair& pair : pairs) names.insert(pair.names);
  double sum = 0.0;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    Pairs rest;
    Pairs held;
    for (const Pair& pair : pairs) {
      const auto index = std::distance(names.begin(), names.find(pair.names));
      (static_cast<std::size_t>(index) % kFolds == fold ? held : rest).push_back(pair);
    }
    sum += error_on(fitted_to(rest), held) * static_cast<double>(held.size());
  }
  return sum / static_cast<double>(pairs.size());
}

double rank_correlation(const SharingLaw& law, const Pairs& pairs) {
  const auto ranks = [&](auto&& value) {
    std::vector<double> out;
    for (const Pair& one : pairs) {
      double rank = 0.0;  // ties have their mean rank
      for (const Pair& two : pairs) {
        if (value(two) < value(one)) rank += 1.0;
        if (value(two) == value(one)) rank += 0.5;
      }
      out.push_back(rank - 0.5 * static_cast<double>(pairs.size()));
    }
    return out;
  };
  const auto a = ranks([&](const Pair& pair) { return told(law, pair); });
  const auto b = ranks([](const Pair& pair) { return pair.kept; });
  const auto dot = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

double fitted_and_held_out(const Pairs& pairs, bool all_are_free) {
  return held_out(
      pairs, [&](const Pairs& rest) { return MpsLaw(fit(rest, all_are_free)); },
      [](const MpsLaw& law, const Pairs& held) { return error_of(law, held); });
}

TEST_F(GavelPairs, SideBySideIsNearerThanAConstantOnEitherType) {
  const double constant = median(all());
  for (const auto& [gpu, pairs] : pairs_) {
    const MpsLaw fitted(MpsLaw::fitted(gpu));
    const double held = fitted_and_held_out(pairs, true);
    const double own_constant =
        held_out(pairs, median, [](double own, const Pairs& p) { return error_of(own, p); });
    std::cout << gpu << ": " << pairs.size() << " pairs; constant of both types "
              << error_of(constant, pairs) << ", of its own, held out " << own_constant
              << "; slices " << error_of(SlicesLaw({}), pairs) << "; "
              << MpsLaw(MpsLaw::fitted("")).name() << " "
              << error_of(MpsLaw(MpsLaw::fitted("")), pairs) << "; " << fitted.name() << " "
              << error_of(fitted, pairs) << ", held out " << held << "; rank correlation "
              << rank_correlation(fitted, pairs) << "\n";

    EXPECT_LT(held, own_constant) << gpu;
    EXPECT_LT(held, 10.0) << gpu;  // the target
    EXPECT_LT(error_of(fitted, pairs), error_of(SlicesLaw({}), pairs)) << gpu;
    EXPECT_LT(error_of(fitted, pairs), held + 1.0) << gpu << ": another fit is better";
    EXPECT_GT(rank_correlation(fitted, pairs), 0.2) << gpu;
  }
}

TEST_F(GavelPairs, OneCapacityForOtherTypesIsNearerThanAConstant) {
  const Pairs pairs = all();
  const MpsLaw other(MpsLaw::fitted("A100"));
  const double held = fitted_and_held_out(pairs, false);
  std::cout << pairs.size() << " pairs: constant " << error_of(median(pairs), pairs) << ", "
            << other.name() << " " << error_of(other, pairs) << ", held out " << held << "\n";

  EXPECT_LT(held, error_of(median(pairs), pairs));
  EXPECT_NEAR(fit(pairs, false).capacity, 0.88, 0.05);
}

}  // namespace
}  // namespace mimus::emulator
