// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/nvml.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::kernels::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct NvmlTest : testing::Test {
  NvmlTest() {
    fake = FakeNvml{};
    fake.gpus = {{.bus_id = "00000000:3B:00.0", .name = "NVIDIA H200", .uuid = "GPU-aa"},
                 {.bus_id = "00000000:86:00.0", .name = "NVIDIA A100", .uuid = "GPU-bb"}};
  }
  FakeNvml& fake = fake_nvml(MIMUS_FAKE_NVML);
  static auto open() { return Nvml::open(MIMUS_FAKE_NVML).nvml; }
};

TEST_F(NvmlTest, SaysWhyThereIsNoDriver) {
  const auto opening = Nvml::open("libmimus-no-such-driver.so.1");

  EXPECT_EQ(opening.nvml, nullptr);
  EXPECT_THAT(opening.reason,
              AllOf(HasSubstr("no NVIDIA driver"), HasSubstr("libmimus-no-such-driver.so.1")));
}

TEST_F(NvmlTest, RefusesALibraryThatIsNotNvml) {
  const auto opening = Nvml::open("libm.so.6");

  EXPECT_EQ(opening.nvml, nullptr);
  EXPECT_THAT(opening.reason, HasSubstr("libm.so.6 has no nvmlInit_v2"));
}

TEST_F(NvmlTest, SaysWhyTheDriverDoesNotAnswer) {
  fake.failures["nvmlInit_v2"] = nvml_abi::kDriverNotLoaded;

  const auto opening = Nvml::open(MIMUS_FAKE_NVML);

  EXPECT_EQ(opening.nvml, nullptr);
  EXPECT_EQ(opening.reason,
            "nvmlInit_v2: Driver Not Loaded (code 9); load the driver, e.g. with nvidia-modprobe");
  EXPECT_EQ(fake.initialised, 0) << "what was not initialised must not be shut down";
}

TEST_F(NvmlTest, IsOneObjectThatShutsDownWithItsLastOwner) {
  auto first = open();
  auto second = open();
  EXPECT_EQ(first, second);
  EXPECT_EQ(fake.initialised, 1);

  first.reset();
  EXPECT_EQ(fake.initialised, 1);
  second.reset();
  EXPECT_EQ(fake.initialised, 0);

  EXPECT_NE(open(), nullptr) << "it can be opened again";
}

TEST_F(NvmlTest, TakesTheLibraryFromTheEnvironment) {
  ASSERT_EQ(::setenv("MIMUS_NVML_LIBRARY", MIMUS_FAKE_NVML, 1), 0);
  const auto opening = Nvml::open();
  ::unsetenv("MIMUS_NVML_LIBRARY");

  ASSERT_NE(opening.nvml, nullptr) << opening.reason;
  EXPECT_EQ(opening.nvml->library(), MIMUS_FAKE_NVML);
}

TEST_F(NvmlTest, TellsVersions) {
  const auto versions = open()->versions();

  EXPECT_EQ(versions.driver, "580.82.07");
  EXPECT_EQ(versions.nvml, "13.580.82.07");
  EXPECT_EQ(versions.cuda, "12.8");  // from 12080
}

TEST_F(NvmlTest, LeavesVersionsEmptyThatItIsNotTold) {
  fake.failures["nvmlSystemGetDriverVersion"] = nvml_abi::kUnknown;
  fake.failures["nvmlSystemGetCudaDriverVersion_v2"] = nvml_abi::kNotSupported;

  const auto versions = open()->versions();

  EXPECT_EQ(versions.driver, "");
  EXPECT_EQ(versions.cuda, "");
}

TEST_F(NvmlTest, ListsDevicesAndThoseItMayNotSee) {
  fake.gpus.push_back({.bus_id = "00000000:AF:00.0", .by_index = nvml_abi::kNoPermission});
  fake.failures["nvmlDeviceGetUUID"] = nvml_abi::kNoPermission;

  const auto [devices, unreachable] = open()->devices();

  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[1].index, 1);
  EXPECT_EQ(devices[1].name, "NVIDIA A100");
  EXPECT_EQ(devices[1].uuid, "");
  EXPECT_EQ(devices[1].pci_bus_id, "00000000:86:00.0");
  EXPECT_THAT(unreachable, ElementsAre(AllOf(HasSubstr("GPU 2"), HasSubstr("code 4"),
                                             HasSubstr("ask the administrator"))));
}

TEST_F(NvmlTest, FailsWhenDevicesCannotEvenBeCounted) {
  fake.failures["nvmlDeviceGetCount_v2"] = nvml_abi::kUnknown;

  const auto nvml = open();

  EXPECT_THROW((void)nvml->devices(), LibraryError);
}

TEST_F(NvmlTest, FindsTheDeviceThatCudaMeans) {
  // CUDA writes a domain of four digits, possibly in lower case, and may number devices
  // differently.
  EXPECT_EQ(open()->device_at("0000:86:00.0").uuid, "GPU-bb");
  EXPECT_EQ(open()->device_at("0000:3b:00.0").index, 0);
}

TEST_F(NvmlTest, FindsADeviceByItsBusAloneWhenTheListBreaks) {
  fake.gpus[1].by_index = nvml_abi::kGpuIsLost;

  const auto device = open()->device_at("0000:86:00.0");

  EXPECT_EQ(device.uuid, "GPU-bb");
  EXPECT_EQ(device.index, -1);
}

TEST_F(NvmlTest, NamesTheBusIdsThereAreWhenOneIsUnknown) {
  const auto nvml = open();
  try {
    (void)nvml->device_at("0000:99:00.0");
    FAIL() << "there is no such device";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("00000000:99:00.0"), HasSubstr("00000000:3B:00.0"),
                                    HasSubstr("00000000:86:00.0")));
  }
}

TEST_F(NvmlTest, ExplainsAFunctionThatAnOldDriverLacks) {
  const auto opening = Nvml::open(MIMUS_FAKE_OLD_NVML);
  ASSERT_NE(opening.nvml, nullptr) << opening.reason;
  const auto& nvml = *opening.nvml;
  int version = 0;

  const auto status = nvml.functions().cuda_version(&version);

  EXPECT_EQ(status.code, nvml_abi::kFunctionNotFound);
  EXPECT_THAT(nvml.explain(status), AllOf(HasSubstr("has no nvmlSystemGetCudaDriverVersion_v2"),
                                          HasSubstr("older than the function")));
  EXPECT_THAT(nvml.explain({nvml_abi::kGpuIsLost, "nvmlX"}), HasSubstr("nvmlX: failed (code 15)"));
  const auto devices = nvml.devices().devices;
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_THAT(devices[0].name, IsEmpty());
}

TEST(PciBusId, HasOneSpelling) {
  EXPECT_EQ(normal_pci_bus_id("00000000:3B:00.0"), "00000000:3B:00.0");
  EXPECT_EQ(normal_pci_bus_id("0000:3b:00.0"), "00000000:3B:00.0");
  EXPECT_EQ(normal_pci_bus_id("3b:00.0"), "00000000:3B:00.0");
  EXPECT_EQ(normal_pci_bus_id("0008:01:1f.1"), "00000008:01:1F.1");
  EXPECT_EQ(normal_pci_bus_id("10000:01:00.0"), "00010000:01:00.0");
  EXPECT_EQ(normal_pci_bus_id("no bus id"), "no bus id");
}

}  // namespace
}  // namespace mimus::kernels::cuda
