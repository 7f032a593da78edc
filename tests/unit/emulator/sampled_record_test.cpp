// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "device_sampler_fixture.hpp"
#include "emulator/run/device_record.hpp"
#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

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
}  // namespace mimus::emulator::test
