// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/device_type.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

TEST(DeviceType, IsFoundInTheNameOfTheDriver) {
  EXPECT_TRUE(is_of_type("Tesla V100-SXM2-16GB (CUDA device 0)", "V100"));
  EXPECT_TRUE(is_of_type("Tesla T4", "T4"));
  EXPECT_TRUE(is_of_type("NVIDIA GeForce RTX 2080 Ti", "RTX2080Ti"));
  EXPECT_TRUE(is_of_type("NVIDIA A100-SXM4-40GB", "a100-sxm4-40gb"));
  EXPECT_TRUE(is_of_type("NVIDIA H100 80GB HBM3", "H100"));
}

TEST(DeviceType, IsMoreThanAPartOfAWord) {
  EXPECT_FALSE(is_of_type("NVIDIA T400", "T4"));
  EXPECT_FALSE(is_of_type("NVIDIA A100-SXM4-40GB", "A10"));
  EXPECT_FALSE(is_of_type("NVIDIA GH200 480GB", "H200"));
  EXPECT_FALSE(is_of_type("NVIDIA H200 (CUDA device 0)", "H100"));
  EXPECT_FALSE(is_of_type("", "H100"));
}

}  // namespace
}  // namespace mimus::emulator
