// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/training_progress.hpp"

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

TEST(TrainingProgressTest, GainsWhatStatisticalEfficiencyLeaves) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto& model = models.at("resnet18");
  TrainingProgress progress(model, 0.0, 1e6);
  const double phi = model.noise_scale.at(0.0);

  // Twice the reference batch gains 2·M₀·(φ + M₀)/(φ + 2·M₀).
  const double reference = 128.0;
  EXPECT_DOUBLE_EQ(progress.gain(256.0), 256.0 * (phi + reference) / (phi + 256.0));
  EXPECT_EQ(progress.steps_to(1280.0, 128.0), 10);
  EXPECT_DOUBLE_EQ(progress.advance(10, 128.0), 1280.0);
  EXPECT_FALSE(progress.finished());
}

}  // namespace
}  // namespace mimus::emulator
