// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/cuda_place.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

TEST(CudaPlace, EachGpuHasADeviceOfItsOwnWhereThereAreEnough) {
  for (int gpu = 0; gpu < 4; ++gpu) {
    const CudaPlace place = cuda_place({.index = gpu, .count = 4}, 4, std::nullopt);

    EXPECT_EQ(place.ordinal, gpu);
    EXPECT_EQ(place.gpus, 1);
  }
}

// 8 GPUs on 3 devices: ceil(8 / 3) = 3 neighbours each; the last device has two.
TEST(CudaPlace, NeighboursShareADeviceWhereThereAreTooFew) {
  const auto ordinal = [](int gpu) {
    return cuda_place({.index = gpu, .count = 8}, 3, std::nullopt).ordinal;
  };

  EXPECT_EQ(ordinal(0), 0);
  EXPECT_EQ(ordinal(2), 0);
  EXPECT_EQ(ordinal(3), 1);
  EXPECT_EQ(ordinal(7), 2);
  EXPECT_EQ(cuda_place({.index = 7, .count = 8}, 3, std::nullopt).gpus, 3);
}

TEST(CudaPlace, RefusesMoreThanIsAllowedAndSaysWhatToDo) {
  try {
    (void)cuda_place({.index = 0, .count = 8}, 2, 1);
    FAIL() << "8 GPUs went onto 2 devices";
  } catch (const EnvironmentError& error) {
    EXPECT_STREQ(error.what(),
                 "this host serves 8 GPUs of the cluster with 2 CUDA devices, so up to 4 would "
                 "share one, but engine.cuda.gpus_per_device is 1; use more hosts, a smaller "
                 "cluster, or raise it");
  }
  EXPECT_THROW((void)cuda_place({}, 0, std::nullopt), EnvironmentError);
}

// Two hosts; rank 0 schedules on the first. 3 GPUs of 2 lanes: ranks 1-2, 3-4 on a, 5-6 on b.
TEST(HostGpu, CountsTheGpusOfItsOwnHost) {
  const std::vector<std::string> hosts{"a", "a", "a", "a", "a", "b", "b"};

  const HostGpu second = host_gpu(hosts, 4, 2, 3);
  const HostGpu third = host_gpu(hosts, 5, 2, 3);

  EXPECT_EQ(second.index, 1);
  EXPECT_EQ(second.count, 2);
  EXPECT_EQ(third.index, 0);
  EXPECT_EQ(third.count, 1);
}

// A cell that uses only the first GPU of a larger world.
TEST(HostGpu, LeavesOutGpusThatTheCellDoesNotHave) {
  const std::vector<std::string> hosts(9, "a");

  EXPECT_EQ(host_gpu(hosts, 1, 1, 1).count, 1);
}

}  // namespace
}  // namespace mimus::emulator
