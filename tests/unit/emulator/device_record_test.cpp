// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/device_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

scheduler::ClusterShape two_nodes() {
  scheduler::ClusterShape shape;
  shape.nodes = 2;
  shape.gpus_per_node = 4;
  return shape;
}

DeviceSampleMessage sample(std::int64_t gpu, Duration wall, double joules) {
  DeviceSampleMessage message;
  message.time_ns = wall.count();
  message.row.gpu = gpu;
  message.row.host = gpu < 4 ? "a" : "b";
  message.row.device = gpu % 4;
  message.row.energy = joules;
  message.energy_source = joules < 0 ? "none" : "counter";
  return message;
}

struct DeviceRecordTest : testing::Test {
  TemporaryFolder folder;
  std::string path = folder.file("cell.h5");
  results::Recorder recorder{
      path, {.later = {DeviceRecord::missing_values()}}, results::RecordLevel::full};
  DeviceRecord record{recorder, two_nodes(), "nccl"};

  results::Reader read() {
    recorder.complete();
    return results::Reader(path);
  }
};

TEST_F(DeviceRecordTest, TurnsTheLastSampleIntoTheEnergyOfTheCell) {
  record.take(sample(5, seconds{100}, 0.0), Instant{});
  record.take(sample(0, seconds{100}, 0.0), Instant{});
  record.take(sample(5, seconds{104}, 1000.0), Instant{seconds{8}});
  record.take(sample(0, seconds{102}, -1.0), Instant{seconds{4}});
  record.finish();

  const auto rows = read().rows<results::EnergyRow>();

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].gpu, 0);
  EXPECT_EQ(rows[0].joules, -1.0);
  EXPECT_EQ(rows[0].mean_power, -1.0);
  EXPECT_EQ(rows[0].source, "none");
  EXPECT_EQ(rows[1].gpu, 5);
  EXPECT_EQ(rows[1].node, 1);
  EXPECT_EQ(rows[1].host, "b");
  EXPECT_EQ(rows[1].device, 1);
  EXPECT_EQ(rows[1].span, 4.0);  // wall time, whatever the emulated time
  EXPECT_EQ(rows[1].joules, 1000.0);
  EXPECT_EQ(rows[1].mean_power, 250.0);
  EXPECT_EQ(rows[1].source, "counter");
}

// A device counts from its own set-up on. The cell begins when all workers are ready.
TEST_F(DeviceRecordTest, CountsEnergyFromTheFirstSampleOfTheCell) {
  record.take(sample(0, seconds{100}, 700.0), Instant{});
  record.take(sample(0, seconds{104}, 1700.0), Instant{seconds{8}});
  record.finish();

  const auto reader = read();
  EXPECT_EQ(reader.rows<results::EnergyRow>().at(0).joules, 1000.0);
  EXPECT_EQ(reader.rows<results::EnergyRow>().at(0).mean_power, 250.0);
  EXPECT_EQ(reader.rows<results::DeviceSampleRow>().at(0).energy, 0.0);
  EXPECT_EQ(reader.rows<results::DeviceSampleRow>().at(1).energy, 1000.0);
}

TEST_F(DeviceRecordTest, DropsWhatComesAfterTheEndOfTheCell) {
  record.take(sample(0, seconds{1}, 0.0), Instant{});
  record.finish();
  record.take(sample(0, seconds{2}, 300.0), Instant{seconds{1}});
  kernels::DeviceReport of_a_probe;
  of_a_probe.add(kernels::CollectiveOp::all_reduce, 8, 2, milliseconds{1}, std::nullopt);
  record.take(AttemptId{9}, JobId{9}, of_a_probe);
  record.finish();

  const auto reader = read();
  EXPECT_EQ(reader.rows<results::DeviceSampleRow>().size(), 1U);
  EXPECT_EQ(reader.rows<results::EnergyRow>().size(), 1U);
  EXPECT_TRUE(reader.rows<results::CollectiveRow>().empty());
}

TEST_F(DeviceRecordTest, SaysOnceWhatSeveralDevicesLack) {
  for (const std::int64_t gpu : {0, 4}) {
    auto message = sample(gpu, seconds{1}, 0.0);
    message.missing = "power: no permission";
    record.take(message, Instant{});
  }
  record.take(sample(1, seconds{1}, 0.0), Instant{});
  record.finish();

  EXPECT_EQ(read().attribute("device_values_missing"), "GPU 0, 4: power: no permission");
}

TEST_F(DeviceRecordTest, ComparesCollectivesWithTheirEstimate) {
  kernels::DeviceReport report;
  constexpr std::int64_t kBytes = 64'000'000;
  report.add(kernels::CollectiveOp::all_reduce, kBytes, 4, milliseconds{3}, milliseconds{1});
  report.add(kernels::CollectiveOp::broadcast, 1000, 4, milliseconds{1}, std::nullopt);
  report.add(kernels::CollectiveOp::all_reduce, kBytes, 4, milliseconds{5}, milliseconds{2});
  record.take(AttemptId{7}, JobId{3}, report);

  const auto rows = read().rows<results::CollectiveRow>();

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].attempt, 7);
  EXPECT_EQ(rows[0].job, 3);
  EXPECT_EQ(rows[0].op, "all_reduce");
  EXPECT_EQ(rows[0].bytes, kBytes);
  EXPECT_EQ(rows[0].replicas, 4);
  EXPECT_EQ(rows[0].operations, 2);
  EXPECT_DOUBLE_EQ(rows[0].seconds_mean, 0.004);
  EXPECT_DOUBLE_EQ(rows[0].seconds_estimate, 0.0015);
  EXPECT_DOUBLE_EQ(rows[0].algorithm_bandwidth, 16e9);  // 64 MB ÷ 4 ms
  EXPECT_DOUBLE_EQ(rows[0].bus_bandwidth, 24e9);        // × 2 · 3 ÷ 4
  EXPECT_EQ(rows[0].kind, "nccl");
  EXPECT_EQ(rows[1].op, "broadcast");
  EXPECT_EQ(rows[1].seconds_estimate, -1.0);
  EXPECT_DOUBLE_EQ(rows[1].bus_bandwidth, rows[1].algorithm_bandwidth);
}

TEST_F(DeviceRecordTest, CountsKernelsPerStep) {
  kernels::DeviceReport report;
  report.add(kernels::cuda::KernelClass::elementwise, 30, milliseconds{6});
  report.add(kernels::cuda::KernelClass::gemm, 10, milliseconds{8});
  report.add(kernels::cuda::KernelClass::elementwise, 10, milliseconds{2});
  report.traced_steps = 4;
  report.dropped_kernels = 2;
  record.take(AttemptId{1}, JobId{0}, report);

  const auto rows = read().rows<results::KernelTimeRow>();

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].kernel_class, "gemm");
  EXPECT_EQ(rows[1].kernel_class, "elementwise");
  EXPECT_EQ(rows[1].launches, 40);
  EXPECT_DOUBLE_EQ(rows[1].seconds, 0.008);
  EXPECT_EQ(rows[1].launches_per_step, 10.0);
  EXPECT_DOUBLE_EQ(rows[1].seconds_per_step, 0.002);
  EXPECT_EQ(rows[1].dropped, 2);
}

TEST(EndedMessage, CarriesTheReportOfTheLead) {
  EndedMessage sent;
  sent.device.add(kernels::CollectiveOp::all_gather, 12, 2, milliseconds{3}, milliseconds{2});
  sent.device.add(kernels::cuda::KernelClass::copy, 5, milliseconds{1});
  sent.device.traced_steps = 6;
  sent.device.dropped_kernels = 1;

  EXPECT_EQ(decode<EndedMessage>(encode(sent)).device, sent.device);
}

}  // namespace
}  // namespace mimus::emulator
