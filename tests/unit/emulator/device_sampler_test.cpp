// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/device_sampler.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/campaign/device_record.hpp"
#include "results/reader.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::emulator {
namespace {

using kernels::cuda::fake_nvml;
using kernels::cuda::FakeNvml;
using kernels::cuda::Nvml;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A sampler of the fake library's only GPU. The library's state may be changed only while no
/// sampler runs.
struct DeviceSamplerTest : testing::Test {
  DeviceSamplerTest() {
    fake = FakeNvml{};
    fake.gpus = {{.bus_id = "00000000:3B:00.0",
                  .utilisation = {97, 41},
                  .memory = {150'000'000'000, 130'000'000'000, 20'000'000'000},
                  .power = 345'000,
                  .energy = 1'000'000,
                  .sm_clock = 1980,
                  .memory_clock = 3201,
                  .temperature = 61,
                  .events = 0x4 | 0x20}};
    fake.gpm = {{2, {81.5}}, {3, {40.25}}, {5, {33.0}},   {10, {52.0}}, {12, {7.5}},
                {20, {3.0}}, {21, {4.0}},  {60, {200.0}}, {61, {100.0}}};
  }
  static DeviceSampler sampler(Duration interval) {
    auto nvml = Nvml::open(MIMUS_FAKE_NVML).nvml;
    auto watched = nvml->device_at("0000:3b:00.0");
    return {
        std::move(nvml), std::move(watched),
        SampledDevice{.cell = 2, .gpu = 4, .host = "b", .device = 1, .clock_offset = seconds{7}},
        interval};
  }
  /// At least `count` samples, as they come; fewer when they do not come within ten seconds.
  static std::vector<DeviceSampleMessage> samples(DeviceSampler& from, std::size_t count) {
    std::vector<DeviceSampleMessage> all;
    const WallInstant give_up = wall_now() + seconds{10};
    while (all.size() < count && wall_now() < give_up) {
      for (auto& sample : from.take()) all.push_back(std::move(sample));
      std::this_thread::sleep_for(milliseconds{1});
    }
    return all;
  }
  FakeNvml& fake = fake_nvml(MIMUS_FAKE_NVML);
};

TEST_F(DeviceSamplerTest, SaysWhoseSampleItIsAndWhenOnTheWorldsClock) {
  auto watching = sampler(hours{1});
  const WallInstant before = wall_now() - seconds{10};  // made before, at most so long ago

  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U) << "the first sample is taken at once, the next in an hour";
  EXPECT_EQ(taken[0].cell, 2);
  EXPECT_EQ(taken[0].row.gpu, 4);
  EXPECT_EQ(taken[0].row.host, "b");
  EXPECT_EQ(taken[0].row.device, 1);
  EXPECT_FALSE(taken[0].was_asked_for);
  const WallInstant time{Duration{taken[0].time_ns} - seconds{7}};
  EXPECT_GE(time, before);
  EXPECT_LE(time, wall_now());
}

TEST_F(DeviceSamplerTest, SamplesAgainAndAgainInOrder) {
  auto watching = sampler(milliseconds{2});

  const auto taken = samples(watching, 5);

  ASSERT_GE(taken.size(), 5U);
  EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end(),
                             [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; }));
}

TEST_F(DeviceSamplerTest, AnswersBetweenItsSamplesWhenAsked) {
  auto watching = sampler(hours{1});
  (void)samples(watching, 1);

  watching.sample_now();
  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U);
  EXPECT_TRUE(taken[0].was_asked_for);
  EXPECT_EQ(taken[0].row.sm_activity, 81.5) << "the second sample has an interval to look back on";
}

TEST_F(DeviceSamplerTest, EndsAtOnceHoweverLongItsInterval) {
  { auto watching = sampler(hours{1}); }  // else the test runs into its time limit
  EXPECT_EQ(fake.open_gpm_samples, 0);
}

TEST_F(DeviceSamplerTest, MarksWhatTheDeviceDoesNotGive) {
  fake.gpus[0].has_gpm = false;
  fake.gpus[0].events = 0;
  fake.failures["nvmlDeviceGetUtilizationRates"] = kernels::cuda::nvml_abi::kNotSupported;
  auto watching = sampler(hours{1});

  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U);
  const auto& row = taken[0].row;
  EXPECT_EQ(row.sm_utilisation, -1.0);
  EXPECT_EQ(row.memory_utilisation, -1.0);
  EXPECT_EQ(row.sm_activity, -1.0);
  EXPECT_EQ(row.nvlink_received, -1.0);
  EXPECT_EQ(row.temperature, 61.0);
  EXPECT_EQ(row.clock_events, "none") << "known, and nothing holds the clocks back";
  EXPECT_THAT(taken[0].missing,
              AllOf(HasSubstr("sm_utilisation, memory_utilisation: nvmlDeviceGetUtilizationRates"),
                    HasSubstr("Hopper"), Not(HasSubstr("power"))));
}

TEST_F(DeviceSamplerTest, ItsSamplesReachTheResultFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  scheduler::ClusterShape shape;
  shape.nodes = 2;
  shape.gpus_per_node = 4;
  std::vector<DeviceSampleMessage> taken;
  {
    auto watching = sampler(hours{1});
    taken = samples(watching, 1);
    watching.sample_now();
    for (auto& sample : samples(watching, 1)) taken.push_back(std::move(sample));
  }
  ASSERT_EQ(taken.size(), 2U);
  results::Recorder recorder(path, {}, results::RecordLevel::full);
  DeviceRecord record(recorder, shape, "nccl");
  for (const auto& sample : taken) {
    record.take(decode<DeviceSampleMessage>(encode(sample)), Instant{seconds{3}});
  }
  record.finish();
  recorder.complete();

  const results::Reader reader(path);
  const auto rows = reader.rows<results::DeviceSampleRow>();
  ASSERT_EQ(rows.size(), 2U);
  const auto& row = rows[1];
  EXPECT_EQ(row.time, 3.0);
  EXPECT_EQ(row.gpu, 4);
  EXPECT_EQ(row.host, "b");
  EXPECT_EQ(row.device, 1);
  EXPECT_EQ(row.sm_utilisation, 97.0);
  EXPECT_EQ(row.memory_utilisation, 41.0);
  EXPECT_EQ(row.memory_used, 20e9);
  EXPECT_DOUBLE_EQ(row.power, 345.0);
  EXPECT_EQ(row.energy, 0.0) << "the counter has not moved";
  EXPECT_EQ(row.sm_clock, 1.98e9);
  EXPECT_EQ(row.memory_clock, 3.201e9);
  EXPECT_EQ(row.temperature, 61.0);
  EXPECT_EQ(row.sm_activity, 81.5);
  EXPECT_EQ(row.sm_occupancy, 40.25);
  EXPECT_EQ(row.tensor_activity, 33.0);
  EXPECT_EQ(row.dram_activity, 52.0);
  EXPECT_EQ(row.fp32_activity, 7.5);
  EXPECT_EQ(row.pcie_sent, 3.0 * kMi);
  EXPECT_EQ(row.pcie_received, 4.0 * kMi);
  EXPECT_EQ(row.nvlink_sent, 100.0 * kMi);
  EXPECT_EQ(row.nvlink_received, 200.0 * kMi);
  EXPECT_EQ(row.clock_events, "sw_power_cap+sw_thermal_slowdown");
  ASSERT_EQ(reader.rows<results::EnergyRow>().size(), 1U);
  EXPECT_EQ(reader.rows<results::EnergyRow>()[0].source, "counter");
  EXPECT_EQ(reader.attribute("device_values_missing"), "");
}

}  // namespace
}  // namespace mimus::emulator
