// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/collective_bandwidth.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

constexpr CollectiveOp kOps[] = {CollectiveOp::all_reduce, CollectiveOp::broadcast,
                                 CollectiveOp::all_gather, CollectiveOp::reduce_scatter,
                                 CollectiveOp::all_to_all, CollectiveOp::send_recv,
                                 CollectiveOp::transfer};

TEST(CollectiveBandwidth, FollowsNcclTests) {
  // 800 bytes in 2 ms are 400,000 bytes/s; with 8 ranks 2(n−1)/n = 1.75 and (n−1)/n = 0.875.
  const auto of = [](CollectiveOp op) {
    return collective_bandwidth(op, Bytes{800.0}, 8, milliseconds{2});
  };

  for (const CollectiveOp op : kOps) EXPECT_DOUBLE_EQ(of(op).algorithm.value, 400e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::all_reduce).bus.value, 700e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::all_gather).bus.value, 350e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::reduce_scatter).bus.value, 350e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::all_to_all).bus.value, 350e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::broadcast).bus.value, 400e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::send_recv).bus.value, 400e3);
  EXPECT_DOUBLE_EQ(of(CollectiveOp::transfer).bus.value, 400e3);
}

TEST(CollectiveBandwidth, IsWhatTheRingCarriesOverItsNarrowestLink) {
  for (const CollectiveOp op : kOps) {
    for (const int replicas : {2, 3, 16}) {
      const Bytes size{1e9};

      const auto bandwidth = collective_bandwidth(op, size, replicas, milliseconds{1000});

      EXPECT_DOUBLE_EQ(bandwidth.bus.value, ring_volume(op, size, replicas).value);
    }
  }
}

TEST(CollectiveBandwidth, CarriesNothingWithoutPeersOrTime) {
  const Bytes size{800.0};

  EXPECT_EQ(collective_bandwidth(CollectiveOp::all_reduce, size, 1, milliseconds{2}).bus.value,
            0.0);
  EXPECT_EQ(collective_bandwidth(CollectiveOp::all_reduce, size, 8, Duration{}).bus.value, 0.0);
}

}  // namespace
}  // namespace mimus::kernels
