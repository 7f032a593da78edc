// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/module_variables.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

// A transformer's block has residual sums after the attention and after the feed-forward part.
TEST(ModuleVariables, OfABlockAreGoneAfterItsSecondResidualSum) {
  AllocationLog log;
  ModuleVariables variables(log);
  const auto projection = log.make(8);
  variables.block_begins();
  variables.of_block(projection);
  variables.residual_sum();
  EXPECT_TRUE(log.is_alive(projection));
  variables.residual_sum();
  EXPECT_FALSE(log.is_alive(projection));
}

TEST(ModuleVariables, OfAttentionAndOfTheModelEndSeparately) {
  AllocationLog log;
  ModuleVariables variables(log);
  const auto scores = log.make(8);
  const auto result = log.make(8);
  const auto cast = log.make(8);
  variables.of_attention(scores);
  variables.of_model(result);
  variables.keep_cast(cast);
  variables.attention_ends();
  EXPECT_FALSE(log.is_alive(scores));
  EXPECT_TRUE(log.is_alive(result));
  EXPECT_TRUE(log.is_alive(cast));
  variables.pass_ends();
  EXPECT_FALSE(log.is_alive(result));
  EXPECT_FALSE(log.is_alive(cast));
}

}  // namespace
}  // namespace mimus::kernels
