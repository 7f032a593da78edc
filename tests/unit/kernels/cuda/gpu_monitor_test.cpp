// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/gpu_monitor.hpp"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::kernels::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

struct GpuMonitorTest : testing::Test {
  GpuMonitorTest() {
    fake = FakeNvml{};
    fake.gpus = {{.bus_id = "00000000:3B:00.0",
                  .utilisation = {97, 41},
                  .memory = {150'000'000'000, 130'000'000'000, 20'000'000'000},
                  .power = 345'678,
                  .energy = 1'000'000,
                  .sm_clock = 1980,
                  .memory_clock = 3201,
                  .temperature = 61,
                  .events = 0x4 | 0x20}};
    fake.gpm = {{2, {81.5}}, {3, {40.25}}, {5, {33.0}},   {10, {52.0}}, {12, {7.5}},
                {20, {3.0}}, {21, {4.0}},  {60, {200.0}}, {61, {100.0}}};
  }
  GpuMonitor monitor() {
    auto nvml = Nvml::open(MIMUS_FAKE_NVML).nvml;
    auto device = nvml->device_at("0000:3b:00.0");
    return {std::move(nvml), std::move(device), [this] { return now; }};
  }
  FakeNvml& fake = fake_nvml(MIMUS_FAKE_NVML);
  FakeGpu& gpu() { return fake.gpus[0]; }
  WallInstant now{from_seconds(100)};
};

std::string reason_of(const GpuMonitor& monitor, const std::string& metric) {
  const auto& missing = monitor.missing();
  const auto found = std::find_if(missing.begin(), missing.end(),
                                  [&](const auto& entry) { return entry.metric == metric; });
  return found == missing.end() ? "" : found->reason;
}

TEST_F(GpuMonitorTest, ConvertsEveryUnit) {
  auto watched = monitor();

  const auto sample = watched.sample();

  EXPECT_EQ(sample.time, now);
  EXPECT_EQ(sample.sm_utilisation, 97.0);
  EXPECT_EQ(sample.memory_utilisation, 41.0);
  EXPECT_EQ(sample.memory_used, Bytes{20e9});
  EXPECT_THAT(sample.power, Optional(testing::DoubleEq(345.678)));  // from mW
  EXPECT_EQ(sample.sm_clock, 1.98e9);                               // from MHz
  EXPECT_EQ(sample.memory_clock, 3.201e9);
  EXPECT_EQ(sample.temperature, 61.0);
  EXPECT_THAT(sample.clock_events, Optional(ElementsAre("sw_power_cap", "sw_thermal_slowdown")));
  EXPECT_EQ(sample.energy, 0.0);
}

TEST_F(GpuMonitorTest, CountsEnergySinceTheFirstSample) {
  auto watched = monitor();
  (void)watched.sample();
  gpu().energy += 12'500;  // mJ

  EXPECT_EQ(watched.sample().energy, 12.5);
  EXPECT_EQ(watched.energy_source(), EnergyMeter::Source::counter);
}

TEST_F(GpuMonitorTest, IntegratesPowerOnADeviceWithoutEnergyCounter) {
  fake.failures["nvmlDeviceGetTotalEnergyConsumption"] = nvml_abi::kNotSupported;
  gpu().power = 100'000;
  auto watched = monitor();
  (void)watched.sample();
  now += std::chrono::seconds{2};
  gpu().power = 200'000;

  EXPECT_EQ(watched.sample().energy, 300.0);  // 2 s of 150 W
  EXPECT_EQ(watched.energy_source(), EnergyMeter::Source::power);
  EXPECT_THAT(watched.missing(), IsEmpty());
}

TEST_F(GpuMonitorTest, SaysWhyEnergyIsMissing) {
  fake.failures["nvmlDeviceGetTotalEnergyConsumption"] = nvml_abi::kNotSupported;
  fake.failures["nvmlDeviceGetPowerUsage"] = nvml_abi::kNoPermission;
  auto watched = monitor();

  EXPECT_EQ(watched.sample().energy, std::nullopt);
  EXPECT_THAT(reason_of(watched, "energy"),
              AllOf(HasSubstr("Not Supported"), HasSubstr("no power to integrate")));

  fake.failures.clear();
  (void)watched.sample();
  gpu().energy = 1;
  EXPECT_EQ(watched.sample().energy, std::nullopt);
  EXPECT_THAT(reason_of(watched, "energy"), HasSubstr("was reset"));
}

TEST_F(GpuMonitorTest, LeavesOutWhatIsNotSupportedOrNotPermitted) {
  fake.failures["nvmlDeviceGetUtilizationRates"] = nvml_abi::kNotSupported;  // as under MIG
  fake.failures["nvmlDeviceGetPowerUsage"] = nvml_abi::kNoPermission;
  fake.failures["nvmlDeviceGetCurrentClocksEventReasons"] = nvml_abi::kNotSupported;
  auto watched = monitor();

  const auto sample = watched.sample();

  EXPECT_EQ(sample.sm_utilisation, std::nullopt);
  EXPECT_EQ(sample.memory_utilisation, std::nullopt);
  EXPECT_EQ(sample.power, std::nullopt);
  EXPECT_EQ(sample.clock_events, std::nullopt) << "not an empty set: that would say unthrottled";
  EXPECT_EQ(sample.temperature, 61.0);
  EXPECT_THAT(reason_of(watched, "sm_utilisation"),
              HasSubstr("nvmlDeviceGetUtilizationRates: Not Supported (code 3)"));
  EXPECT_THAT(reason_of(watched, "power"), HasSubstr("Insufficient Permissions (code 4)"));
  EXPECT_EQ(reason_of(watched, "temperature"), "");
}

TEST_F(GpuMonitorTest, SurvivesADeviceThatIsLostAndComesBack) {
  auto watched = monitor();
  (void)watched.sample();
  for (const char* function :
       {"nvmlDeviceGetUtilizationRates", "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetPowerUsage",
        "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetClockInfo", "nvmlDeviceGetTemperature",
        "nvmlDeviceGetCurrentClocksEventReasons", "nvmlGpmSampleGet"}) {
    fake.failures[function] = nvml_abi::kGpuIsLost;
  }

  const auto lost = watched.sample();
  EXPECT_EQ(lost.power, std::nullopt);
  EXPECT_EQ(lost.sm_clock, std::nullopt);
  EXPECT_EQ(lost.gpm.sm_activity, std::nullopt);
  EXPECT_EQ(watched.missing().size(), 18U);  // all: 9 of the device, 9 of GPM
  EXPECT_THAT(reason_of(watched, "memory_used"), HasSubstr("GPU is lost"));

  fake.failures.clear();
  EXPECT_TRUE(watched.sample().power.has_value());
  EXPECT_THAT(watched.missing(), IsEmpty());
}

TEST_F(GpuMonitorTest, MeasuresGpmBetweenTwoSamples) {
  auto watched = monitor();

  const auto first = watched.sample();
  EXPECT_EQ(first.gpm.sm_activity, std::nullopt);
  EXPECT_THAT(reason_of(watched, "nvlink_received"), HasSubstr("first sample"));

  const auto second = watched.sample().gpm;
  EXPECT_EQ(fake.first_gpm_reading, 1);
  EXPECT_EQ(fake.second_gpm_reading, 2);
  EXPECT_EQ(second.sm_activity, 81.5);
  EXPECT_EQ(second.sm_occupancy, 40.25);
  EXPECT_EQ(second.tensor_activity, 33.0);
  EXPECT_EQ(second.dram_bandwidth, 52.0);
  EXPECT_EQ(second.fp32_activity, 7.5);
  EXPECT_EQ(second.pcie_sent, BytesPerSecond{3 * kMi});
  EXPECT_EQ(second.pcie_received, BytesPerSecond{4 * kMi});
  EXPECT_EQ(second.nvlink_received, BytesPerSecond{200 * kMi});
  EXPECT_EQ(second.nvlink_sent, BytesPerSecond{100 * kMi});
  EXPECT_THAT(watched.missing(), IsEmpty());

  (void)watched.sample();
  EXPECT_EQ(fake.first_gpm_reading, 2) << "the newer reading becomes the older one";
  EXPECT_EQ(fake.second_gpm_reading, 3);
}

TEST_F(GpuMonitorTest, MeasuresGpmAcrossAFailedReading) {
  auto watched = monitor();
  (void)watched.sample();
  fake.failures["nvmlGpmSampleGet"] = nvml_abi::kUnknown;
  (void)watched.sample();
  fake.failures.clear();

  EXPECT_TRUE(watched.sample().gpm.sm_activity.has_value());
  EXPECT_EQ(fake.first_gpm_reading, 1);
  EXPECT_EQ(fake.second_gpm_reading, 2);
}

TEST_F(GpuMonitorTest, LeavesOutSingleGpmMetrics) {
  fake.gpm[60] = {0.0, nvml_abi::kNotSupported};  // a PCIe card has no NVLink
  fake.gpm[3] = {std::numeric_limits<double>::quiet_NaN()};
  auto watched = monitor();
  (void)watched.sample();

  const auto gpm = watched.sample().gpm;

  EXPECT_EQ(gpm.nvlink_received, std::nullopt);
  EXPECT_EQ(gpm.sm_occupancy, std::nullopt);
  EXPECT_EQ(gpm.sm_activity, 81.5);
  EXPECT_THAT(reason_of(watched, "nvlink_received"), HasSubstr("Not Supported"));
  EXPECT_THAT(reason_of(watched, "sm_occupancy"), HasSubstr("did not move"));
}

TEST_F(GpuMonitorTest, KnowsGpusWithoutGpm) {
  gpu().has_gpm = false;
  {
    auto watched = monitor();
    EXPECT_EQ(watched.sample().gpm.sm_activity, std::nullopt);
    EXPECT_THAT(reason_of(watched, "sm_activity"), HasSubstr("Hopper"));
  }
  gpu().has_gpm = true;
  fake.failures["nvmlGpmMetricsGet"] = nvml_abi::kNoPermission;
  auto watched = monitor();
  (void)watched.sample();
  (void)watched.sample();
  EXPECT_THAT(reason_of(watched, "dram_bandwidth"), HasSubstr("Insufficient Permissions"));
}

TEST_F(GpuMonitorTest, FreesItsGpmBuffers) {
  {
    auto watched = monitor();
    EXPECT_EQ(fake.open_gpm_samples, 2);
  }
  EXPECT_EQ(fake.open_gpm_samples, 0);

  fake.failures["nvmlGpmSampleAlloc"] = nvml_abi::kUnknown;
  auto watched = monitor();
  EXPECT_THAT(watched.sample().gpm.sm_activity, std::nullopt);
  EXPECT_THAT(reason_of(watched, "sm_activity"), HasSubstr("nvmlGpmSampleAlloc"));
}

TEST_F(GpuMonitorTest, WorksWithAnOldDriver) {
  auto opening = Nvml::open(MIMUS_FAKE_OLD_NVML);
  ASSERT_NE(opening.nvml, nullptr) << opening.reason;
  auto device = opening.nvml->devices().devices.at(0);
  GpuMonitor watched{opening.nvml, device, [this] { return now; }};
  (void)watched.sample();
  now += std::chrono::seconds{3};

  const auto sample = watched.sample();

  EXPECT_EQ(sample.power, 100.0);
  EXPECT_EQ(sample.energy, 300.0) << "integrated: this driver has no counter";
  EXPECT_THAT(sample.clock_events, Optional(ElementsAre("sw_power_cap"))) << "by the older name";
  EXPECT_EQ(sample.temperature, std::nullopt);
  EXPECT_THAT(reason_of(watched, "temperature"), HasSubstr("has no nvmlDeviceGetTemperature"));
  EXPECT_THAT(reason_of(watched, "sm_activity"), HasSubstr("has no nvmlGpmQueryDeviceSupport"));
}

}  // namespace
}  // namespace mimus::kernels::cuda
