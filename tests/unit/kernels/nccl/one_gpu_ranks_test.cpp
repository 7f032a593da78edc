// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/one_gpu_ranks.hpp"

#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

std::map<std::string, std::string> values(const OneGpuRanks& ranks) {
  std::map<std::string, std::string> all;
  for (const auto& variable : ranks.variables) all[variable.name] = variable.value;
  return all;
}

TEST(NcclVersion, ReadsBothWaysOfCounting) {
  EXPECT_EQ(nccl_version_text(22809), "2.28.9");
  EXPECT_EQ(nccl_version_text(23102), "2.31.2");
  EXPECT_EQ(nccl_version_text(2703), "2.7.3");  // up to 2.8 a thousand per major version
}

TEST(OneGpuRanks, AskFromTwoThirtyOn) {
  const auto set = values(one_gpu_ranks(23000, 1, 2));

  EXPECT_EQ(set.at("NCCL_MULTI_RANK_GPU_ENABLE"), "1");
  EXPECT_EQ(set.count("NCCL_HOSTID"), 0U);
}

TEST(OneGpuRanks, PretendToBeSeveralMachinesBefore) {
  const auto first = values(one_gpu_ranks(22907, 0, 2));
  const auto second = values(one_gpu_ranks(22907, 1, 2));

  EXPECT_NE(first.at("NCCL_HOSTID"), second.at("NCCL_HOSTID"));
  EXPECT_EQ(first.at("NCCL_SOCKET_IFNAME"), "lo");
  EXPECT_EQ(first.count("NCCL_MULTI_RANK_GPU_ENABLE"), 0U);
}

TEST(OneGpuRanks, ReachOtherHostsWhereTheWorldHasSome) {
  const OneGpuRanks ranks = one_gpu_ranks(22907, 0, 2, WorldHosts::several);

  EXPECT_EQ(values(ranks).count("NCCL_HOSTID"), 1U);
  EXPECT_EQ(values(ranks).count("NCCL_SOCKET_IFNAME"), 0U);
  EXPECT_EQ(values(ranks).count("NCCL_IB_DISABLE"), 0U);
  EXPECT_THAT(ranks.label, testing::HasSubstr("through the network"));
}

TEST(OneGpuRanks, ShareEightThreadBlocks) {
  EXPECT_EQ(ctas_of_rank(0, 2), 4);
  EXPECT_EQ(ctas_of_rank(0, 3), 2);
  EXPECT_EQ(ctas_of_rank(0, 20), 1);  // never 0
}

TEST(OneGpuRanks, TakeNoMoreThreadBlocksThanAreWanted) {
  EXPECT_EQ(ctas_of_rank(1, 2), 1);
  EXPECT_EQ(ctas_of_rank(8, 2), 4);
}

// NCCL prefers its environment to what a communicator asks for, and reads it once per process.
TEST(OneGpuRanks, LeaveTheLimitToEachCommunicator) {
  EXPECT_EQ(values(one_gpu_ranks(23000, 0, 2)).count("NCCL_MAX_CTAS"), 0U);
  EXPECT_EQ(values(one_gpu_ranks(22809, 0, 2)).count("NCCL_MAX_CTAS"), 0U);
}

TEST(OneGpuRanks, OneRankOfAGpuMayTakeWhatIsWanted) {
  EXPECT_EQ(ctas_of_rank(0, 1), 0);
  EXPECT_EQ(ctas_of_rank(32, 1), 32);
}

TEST(OneGpuRanks, SayThatTheirTimesMeanNothing) {
  EXPECT_THAT(one_gpu_ranks(23000, 0, 2).label, testing::StartsWith("functional only"));
  EXPECT_THAT(one_gpu_ranks(22809, 0, 2).label, testing::StartsWith("functional only"));
}

TEST(OneGpuRanks, KeepWhatTheUserHasSet) {
  OneGpuRanks ranks;
  ranks.variables = {{"MIMUS_TEST_HINT", "ours", false}, {"MIMUS_TEST_NEED", "ours", true}};
  setenv("MIMUS_TEST_HINT", "theirs", 1);
  setenv("MIMUS_TEST_NEED", "theirs", 1);

  apply(ranks);

  EXPECT_STREQ(std::getenv("MIMUS_TEST_HINT"), "theirs");
  EXPECT_STREQ(std::getenv("MIMUS_TEST_NEED"), "ours");
}

}  // namespace
}  // namespace mimus::kernels
