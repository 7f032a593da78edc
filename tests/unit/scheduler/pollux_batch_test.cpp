// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "builders.hpp"
#include "scheduler/batch/goodput.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

// Batch choices of the public artifact of Pollux (OSDI'21) for 42 fitted throughput models.

std::filesystem::path vectors_path() {
  const char* shared = std::getenv("MIMUS_SHARED");
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  const std::filesystem::path root =
      shared ? shared : std::filesystem::path(source ? source : ".") / ".." / "shared";
  return root / "data" / "pollux" / "testvectors" / "goodput_fit_optimize.json";
}

/// The fitted model of the paper (Eq. 8 to 11) as its artifact evaluates it, for `nodes` nodes.
class FittedSteps final : public ThroughputEstimate {
 public:
  FittedSteps(const nlohmann::json& fit, int nodes) : fit_(fit), nodes_(nodes) {}
  [[nodiscard]] std::string name() const override { return "fitted"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const Allocation& allocation,
                                                  const BatchPlan& batch) const override {
    const auto p = [&](const char* key) { return fit_.at(key).get<double>(); };
    const double replicas = static_cast<double>(allocation.slots.size());
    const double grad = p("alpha_c") + p("beta_c") * static_cast<double>(batch.per_gpu);
    double alpha = 1e-8;
    double beta = 1e-8;
    if (nodes_ > 1) {
      alpha = p("alpha_n");
      beta = p("beta_n");
    } else if (replicas > 1) {
      alpha = p("alpha_r");
      beta = p("beta_r");
    }
    const double sync = alpha + beta * std::max(replicas - 2.0, 1e-8);
    const double gamma = p("gamma");
    const double last = std::pow(std::pow(grad, gamma) + std::pow(sync, gamma), 1.0 / gamma);
    return from_seconds((batch.accumulation - 1) * grad + last);
  }

 private:
  nlohmann::json fit_;
  int nodes_;
};

struct Case {
  JobView view;
  Allocation allocation;
  ProfileEstimate estimate;
  [[nodiscard]] BatchQuery query() const {
    return {view, &allocation, limits_within(view.model, Bytes{}), estimate};
  }
};

Case make_case(const nlohmann::json& fitted, const nlohmann::json& choice) {
  Case c{job(0, choice.at("replicas").get<int>()),
         {},
         ProfileEstimate(
             std::make_shared<FittedSteps>(fitted.at("fit"), choice.at("nodes").get<int>()))};
  c.view.model.reference_batch = fitted.at("M0").get<int>();
  c.view.model.total_batch_max = fitted.at("Mmax").get<int>();
  c.view.model.per_gpu_batch_min = fitted.at("local_range").at(0).get<int>();
  c.view.model.per_gpu_batch_max = fitted.at("local_range").at(1).get<int>();
  c.view.progress.noise_scale = fitted.at("M0").get<double>() *
                                fitted.at("grad_var").get<double>() /
                                fitted.at("grad_sqr").get<double>();
  for (int g = 0; g < c.view.gang; ++g) c.allocation.slots.push_back({GpuId{g}, LaneId{g}});
  return c;
}

TEST(GoodputOnPolluxVectors, ChoosesTheArtifactsBatches) {
  std::ifstream file(vectors_path());
  if (!file) GTEST_SKIP() << "skipped: no shared data";
  const auto vectors = nlohmann::json::parse(file);
  int compared = 0;
  for (const auto& fitted : vectors) {
    for (const auto& choice : fitted.at("optimize")) {
      const Case c = make_case(fitted, choice);
      const BatchPlan expected{choice.at("atomic_bsz").get<int>(),
                               choice.at("accum_steps").get<int>() + 1};
      const double goodput = choice.at("goodput").get<double>();

      const auto best = Goodput::best(c.query());

      if (goodput <= 0.0) {
        EXPECT_FALSE(best);
        continue;
      }
      ASSERT_TRUE(best);
      EXPECT_EQ(*best, expected) << fitted.at("app") << " on " << choice.at("replicas") << ": "
                                 << best->per_gpu << "x" << best->accumulation;
      EXPECT_NEAR(Goodput::goodput(c.query(), expected) / goodput, 1.0, 1e-6);
      ++compared;
    }
  }
  EXPECT_GE(compared, 250);
}

}  // namespace
}  // namespace mimus::scheduler::test
