// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/ring_load.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

using std::chrono::microseconds;

GangLink link_of(Duration latency) {
  return {BytesPerSecond{1e9}, latency};
}

TEST(RingLoad, LeavesAnAllReduceAsItIs) {
  const RingLoad load = ring_load(CollectiveOp::all_reduce, 4000, 4, link_of(microseconds{6}));

  EXPECT_EQ(load.elements, 1000);
  EXPECT_EQ(load.latency, microseconds{6});
}

TEST(RingLoad, PutsTheSameBytesOverTheLink) {
  // With 4 ranks an all-reduce carries 1.5 S, an all-gather 0.75 S and a broadcast S.
  EXPECT_EQ(ring_load(CollectiveOp::all_gather, 4000, 4, link_of({})).elements, 500);
  EXPECT_EQ(ring_load(CollectiveOp::reduce_scatter, 4000, 4, link_of({})).elements, 500);
  EXPECT_EQ(ring_load(CollectiveOp::all_to_all, 4000, 4, link_of({})).elements, 500);
  EXPECT_EQ(ring_load(CollectiveOp::broadcast, 6000, 4, link_of({})).elements, 1000);
  EXPECT_EQ(ring_load(CollectiveOp::send_recv, 6000, 4, link_of({})).elements, 1000);
}

TEST(RingLoad, SpreadsTheLatencyOverTheStepsOfAnAllReduce) {
  // The 6 steps of an all-reduce correspond to 3 of an all-gather and to the one of a send.
  EXPECT_EQ(ring_load(CollectiveOp::all_gather, 4000, 4, link_of(microseconds{6})).latency,
            microseconds{3});
  EXPECT_EQ(ring_load(CollectiveOp::send_recv, 4000, 4, link_of(microseconds{6})).latency,
            microseconds{1});
}

// A transfer between two ranks carries S in one step. Their all-reduce also carries S, but in two.
TEST(RingLoad, CarriesATransferBetweenTwo) {
  const RingLoad load = ring_load(CollectiveOp::transfer, 4000, 2, link_of(microseconds{6}));

  EXPECT_EQ(load.elements, 1000);
  EXPECT_EQ(load.latency, microseconds{3});
}

// Of an uplink that carries twice what a member sends, the member has half.
TEST(RingLoad, LeavesAMemberOfAnAllToAllItsShareOfTheUplink) {
  GangLink link = link_of(microseconds{6});
  link.exchange_load = 2.0;

  EXPECT_EQ(ring_load(CollectiveOp::all_to_all, 4000, 4, link).bandwidth.value, 5e8);
  EXPECT_EQ(ring_load(CollectiveOp::all_gather, 4000, 4, link).bandwidth.value, 1e9);
  EXPECT_EQ(ring_load(CollectiveOp::all_to_all, 4000, 4, link).latency, microseconds{3});
}

TEST(RingLoad, IsNothingWithoutPeersOrBytes) {
  EXPECT_EQ(ring_load(CollectiveOp::all_reduce, 4000, 1, link_of(microseconds{6})).elements, 0);
  EXPECT_EQ(ring_load(CollectiveOp::broadcast, 0, 4, link_of(microseconds{6})).elements, 0);
}

}  // namespace
}  // namespace mimus::kernels::cuda
