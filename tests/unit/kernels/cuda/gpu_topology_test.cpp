// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/gpu_topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::kernels::cuda {
namespace {

using testing::HasSubstr;

const std::string kFirst = "00000000:01:00.0";
const std::string kSecond = "00000000:02:00.0";
const std::string kThird = "00000000:03:00.0";
const std::string kSwitch = "00000000:C0:00.0";

struct GpuTopologyTest : testing::Test {
  GpuTopologyTest() {
    fake = FakeNvml{};
    fake.gpus = {{.bus_id = kFirst}, {.bus_id = kSecond}, {.bus_id = kThird}};
  }
  static std::vector<GpuLink> links() {
    const auto nvml = Nvml::open(MIMUS_FAKE_NVML).nvml;
    return gpu_links(*nvml, nvml->devices().devices);
  }
  FakeNvml& fake = fake_nvml(MIMUS_FAKE_NVML);
};

TEST_F(GpuTopologyTest, ListsEveryPairOnce) {
  const auto all = links();

  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].first, 0U);
  EXPECT_EQ(all[0].second, 1U);
  EXPECT_EQ(all[1].second, 2U);
  EXPECT_EQ(all[2].first, 1U);
  EXPECT_EQ(all[2].second, 2U);
}

TEST_F(GpuTopologyTest, NamesPciLevelsAsNvidiaSmiDoes) {
  const std::vector<std::pair<nvml_abi::TopologyLevel, std::string>> levels{
      {nvml_abi::kInternal, "PSB"},   {nvml_abi::kSingle, "PIX"}, {nvml_abi::kMultiple, "PXB"},
      {nvml_abi::kHostBridge, "PHB"}, {nvml_abi::kNode, "NODE"},  {nvml_abi::kSystem, "SYS"}};
  for (const auto& [level, text] : levels) {
    fake.level = level;
    EXPECT_EQ(links()[0].text(), text);
  }
}

TEST_F(GpuTopologyTest, CountsActiveLinksThatLeadToTheOther) {
  fake.gpus[0].nvlinks = {{true, kSecond}, {true, kSecond}, {false, kSecond}, {true, kThird}};

  const auto all = links();

  EXPECT_EQ(all[0].text(), "NV2");
  EXPECT_EQ(all[1].text(), "NV1");
  EXPECT_EQ(all[2].text(), "SYS");
}

TEST_F(GpuTopologyTest, CountsLinksIntoASwitchWhereBothReachEachOther) {
  for (auto& gpu : fake.gpus) gpu.nvlinks.assign(18, {true, kSwitch, nvml_abi::kPeerSwitch});
  EXPECT_EQ(links()[0].text(), "NV18");
  EXPECT_EQ(links()[0].kind, GpuLinkKind::nvlink);

  fake.p2p = nvml_abi::P2pStatus{5};  // NOT_SUPPORTED, e.g. another partition of the fabric
  EXPECT_EQ(links()[0].text(), "SYS");
  EXPECT_EQ(links()[0].nvlinks, 0);
}

TEST_F(GpuTopologyTest, KnowsASwitchFromAGpuThatThisProcessMayNotUse) {
  fake.gpus[0].nvlinks = {{true, "00000000:09:00.0", nvml_abi::kPeerGpu}};
  EXPECT_EQ(links()[0].text(), "SYS") << "the link leads to a GPU outside this container";

  fake.failures["nvmlDeviceGetNvLinkRemoteDeviceType"] = nvml_abi::kNotSupported;
  fake.gpus[0].nvlinks = {{true, kThird}, {true, kSwitch}};
  EXPECT_EQ(links()[0].text(), "NV1") << "without types, what is no known GPU is a switch";
}

TEST_F(GpuTopologyTest, SaysWhyALinkIsUnknown) {
  fake.failures["nvmlDeviceGetTopologyCommonAncestor"] = nvml_abi::kNotSupported;
  EXPECT_EQ(links()[0].text(), "?");
  EXPECT_EQ(links()[0].kind, std::nullopt);
  EXPECT_THAT(links()[0].reason, HasSubstr("Not Supported"));

  fake.failures.clear();
  fake.level = nvml_abi::TopologyLevel{35};
  EXPECT_THAT(links()[0].reason, HasSubstr("unknown level 35"));
}

}  // namespace
}  // namespace mimus::kernels::cuda
