// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/attention_runs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using testing::HasSubstr;

/// Attention of two heads over 64 tokens.
workloads::Model with_heads_of(int features) {
  return test::model_of(fmt::format(
      "- {{op: batched_matmul, name: scores, count: 2, rows: 64, columns: 64, inner: {0}}}\n"
      "- {{op: softmax, elements: 8192}}\n"
      "- {{op: batched_matmul, count: 2, rows: 64, columns: {0}, inner: 64}}\n",
      features));
}

TEST(FusedAttentionCheck, NamesTheModelAndTheLayerWhoseHeadsNoKernelTakes) {
  try {
    check_fused_attention(with_heads_of(80));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("model \"any\", layer 0.scores"));
    EXPECT_THAT(error.what(), HasSubstr("heads of 80 features"));
    EXPECT_THAT(error.what(), HasSubstr("engine.cuda.attention: eager"));
  }
}

TEST(FusedAttentionCheck, TakesHeadsThatHaveKernelsAndModelsWithoutAttention) {
  EXPECT_NO_THROW(check_fused_attention(with_heads_of(64)));
  EXPECT_NO_THROW(check_fused_attention(with_heads_of(128)));
  for (const auto& name : test::models().names()) {
    EXPECT_NO_THROW(check_fused_attention(test::models().at(name))) << name;
  }
}

}  // namespace
}  // namespace mimus::kernels
