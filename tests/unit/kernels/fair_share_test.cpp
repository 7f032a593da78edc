// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/fair_share.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

FairShare divided(const std::vector<FairShare::Demand>& demands) {
  FairShare link;
  for (const auto& demand : demands) link.add(demand);
  link.divide();
  return link;
}

TEST(FairShare, NobodyWaitsWhereTheLinkIsWideEnoughForAll) {
  const FairShare link = divided({{.load = 0.5}, {.load = 0.3}, {.load = 0.2}});

  EXPECT_EQ(link.stretch(0.5), 1.0);
  EXPECT_EQ(link.stretch(0.2), 1.0);
}

// 0.1 is left as it is, and the others have 0.45 each.
TEST(FairShare, WhatASmallOneLeavesIsDividedEvenly) {
  const FairShare link = divided({{.load = 1.0}, {.load = 0.1}, {.load = 0.9}});

  EXPECT_EQ(link.stretch(0.1), 1.0);
  EXPECT_DOUBLE_EQ(link.stretch(0.9), 2.0);
  EXPECT_DOUBLE_EQ(link.stretch(1.0), 1.0 / 0.45);
}

TEST(FairShare, OneThatIsThereForHalfOfTheTimeTakesHalfAShare) {
  const FairShare link = divided({{.load = 1.0}, {.load = 1.0, .presence = 0.5}});

  EXPECT_DOUBLE_EQ(link.stretch(1.0), 1.5);
}

}  // namespace
}  // namespace mimus::kernels
