// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/campaign/machine/effective_links.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using Shapes = std::vector<std::vector<int>>;

Shapes shapes_of(const std::vector<LinkPoint>& points) {
  Shapes out;
  for (const LinkPoint& point : points) out.push_back(point.shape);
  return out;
}

scheduler::ClusterShape cluster_of(int nodes, int gpus) {
  scheduler::ClusterShape shape;
  shape.nodes = nodes;
  shape.gpus_per_node = shape.gpus_per_island = gpus;
  shape.lanes_per_gpu = 1;
  return shape;
}

TEST(LinkPoints, AreTheSmallestAndLargestGangWithinANodeAndAcross) {
  EXPECT_EQ(shapes_of(link_points({{1}}, cluster_of(3, 4))), (Shapes{{2}, {4}, {1, 1}, {4, 4, 4}}));
  EXPECT_EQ(shapes_of(link_points({{1}}, cluster_of(2, 1))), (Shapes{{1, 1}}));
  EXPECT_EQ(shapes_of(link_points({{1}}, cluster_of(1, 2))), (Shapes{{2}}));
  EXPECT_TRUE(link_points({{1}}, cluster_of(1, 1)).empty());
}

TEST(LinkPoints, AreTheGangsThatWereAskedFor) {
  EXPECT_EQ(shapes_of(link_points({{1}, {3}, {2, 1}}, cluster_of(3, 4))), (Shapes{{3}, {2, 1}}));
}

CalibrationBed bed_of(const std::string& device) {
  CalibrationBed bed;
  bed.cluster.shape = cluster_of(2, 2);
  bed.cluster.shape.gpus_per_island = 1;
  bed.engine.device = device;
  return bed;
}

// 4 ranks, 8 MB in a median of 3 ms: 8e6 / 3e-3 × 2 · 3/4 = 4e9 B/s, as in nccl-tests.
TEST(LinkRow, HasTheBusBandwidthOfTheMedian) {
  const LinkTimes times{
      .bytes = 8'000'000, .seconds = {9e-3, 2e-3, 3e-3}, .via = "MPI", .no_link = ""};
  const std::vector<std::string> hosts{"a", "a", "a", "b", "b"};

  const auto row = link_row({{2, 2}}, bed_of("cpu"), hosts, times);

  EXPECT_NEAR(row.bus_bandwidth, 4e9, 1.0);
  EXPECT_EQ(row.seconds_min, 2e-3);
  EXPECT_EQ(row.operations, 3);
  EXPECT_EQ(row.shape, "2+2");
  EXPECT_EQ(row.hosts, 2);
  EXPECT_EQ(row.link, "network");
}

// Rank 0 schedules, ranks 1 to 4 serve the GPUs.
TEST(LinkRow, CallsNodesOfOneMachineWhatTheyAre) {
  const std::vector<std::string> one_host(5, "a");
  const LinkTimes times{.bytes = 1024, .seconds = {1.0, 1.0}, .via = "", .no_link = ""};

  EXPECT_EQ(link_row({{1, 1}}, bed_of("cpu"), one_host, times).link, "node");
  EXPECT_EQ(link_row({{2}}, bed_of("cuda"), one_host, times).link, "node");
  auto one_island = bed_of("cuda");
  one_island.cluster.shape.gpus_per_island = 2;
  EXPECT_EQ(link_row({{2}}, one_island, one_host, times).link, "island");
  const LinkTimes shared{.bytes = 1024, .seconds = {1.0}, .via = "", .no_link = "one device"};
  EXPECT_EQ(link_row({{2}}, one_island, one_host, shared).link, "one device");
}

results::ProfileLinkRow row_of(const std::string& link, int ranks, std::int64_t bytes,
                               double rate) {
  results::ProfileLinkRow row;
  row.link = link;
  row.shape = std::to_string(ranks);
  row.ranks = ranks;
  row.hosts = 1;
  row.via = "NCCL";
  row.bytes = bytes;
  row.bus_bandwidth = rate;
  return row;
}

// For the larger gang and 64, 32 and 16 MiB: the median of 9, 7 and 8 GB/s.
TEST(EffectiveLinks, AreThePlateauOfTheLargestGang) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
  const auto links =
      effective_links({row_of("node", 2, 64 * kMiB, 99e9), row_of("node", 4, 8 * kMiB, 50e9),
                       row_of("node", 4, 16 * kMiB, 8e9), row_of("node", 4, 32 * kMiB, 7e9),
                       row_of("node", 4, 64 * kMiB, 9e9), row_of("network", 8, 64 * kMiB, 1e9)});

  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].link, "node");
  EXPECT_EQ(links[0].rate.value, 8e9);
  EXPECT_EQ(links[0].ranks, 4);
  EXPECT_EQ(source_text(links[0]),
            "median bus bandwidth of all-reduces of 16.8 MB to 67.1 MB, 4 ranks (4) on 1 host, "
            "NCCL");
  EXPECT_EQ(links[1].rate.value, 1e9);
  EXPECT_TRUE(effective_links({}).empty());
}

}  // namespace
}  // namespace mimus::emulator
