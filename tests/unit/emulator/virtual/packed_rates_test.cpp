// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/oracle/packed_rates.hpp"

#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

double rate(const std::string& model, int gang, std::int64_t batch) {
  const PackedRates rates(small_cluster(), catalogue());
  return rates.samples_per_second(catalogue().at(model), gang, batch);
}

// 128 samples, the reference batch, in the time of a step.
TEST(PackedRates, AreTheBatchOverTheStep) {
  const auto step = step_time("analytic")->step(attempt_on(1, {0}, "resnet18", 128), {}).step;
  EXPECT_NEAR(rate("resnet18", 1, 128), 128.0 / to_seconds(step), 1e-6);
}

// 128 samples on eight GPUs would be 16 each, but resnet18 takes at least 32: 256 in total, on two
// nodes of four. Because of the noise scale, each of these samples counts for less.
TEST(PackedRates, TakePackedNodesAndCountWhatALargerBatchLoses) {
  const workloads::Model& model = catalogue().at("resnet18");
  const auto attempt = attempt_on(1, {0, 1, 2, 3, 4, 5, 6, 7}, "resnet18", 32);
  const auto step = step_time("analytic")->step(attempt, {}).step;
  const double lost = workloads::mean_step_surplus(model.noise_scale, 128.0, 256.0);
  EXPECT_GT(lost, 1.0);
  EXPECT_LT(lost, 2.0);
  EXPECT_NEAR(rate("resnet18", 8, 128), 256.0 / lost / to_seconds(step), 1e-6);
}

// Has answers for one GPU only, like a table with holes.
class OneGpuSteps final : public StepTimeModel {
 public:
  [[nodiscard]] std::string name() const override { return "one GPU"; }
  void check(const workloads::Job&) const override {}
  [[nodiscard]] StepCost step(const Attempt& attempt, const Surroundings&) const override {
    if (attempt.allocation.slots.size() > 1) throw UsageError("not measured");
    return {.step = std::chrono::seconds{2}};
  }
};

TEST(PackedRates, GoByTheEnginesStepsAndByTheFootprintWhereItHasNone) {
  const PackedRates rates(small_cluster(), catalogue(),
                          [] { return std::make_unique<OneGpuSteps>(); });
  EXPECT_DOUBLE_EQ(rates.samples_per_second(catalogue().at("resnet18"), 1, 128), 64.0);
  EXPECT_DOUBLE_EQ(rates.samples_per_second(catalogue().at("resnet18"), 2, 128),
                   rate("resnet18", 2, 128));
}

// A gang of three replicas of two GPUs and one more GPU, which is refused before it runs.
TEST(PackedRates, HaveAnAnswerForGangsThatAreNoWholeReplicas) {
  const auto whole = rate("gpt@p2", 6, 48);
  EXPECT_NEAR(rate("gpt@p2", 7, 48), whole * 7 / 6, 1e-9);
}

}  // namespace
}  // namespace mimus::emulator::test
