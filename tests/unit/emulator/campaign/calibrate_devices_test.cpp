// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_devices.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using kernels::cuda::KernelClass;

Instant at(int seconds) {
  return Instant{} + std::chrono::seconds{seconds};
}

DeviceSampleMessage busy(double percent) {
  DeviceSampleMessage sample;
  sample.row.sm_activity = percent;
  sample.row.dram_activity = percent / 2;
  return sample;
}

kernels::DeviceReport captured(std::int64_t kernels) {
  kernels::DeviceReport report;
  report.graph_kernels = kernels;
  return report;
}

TEST(CalibrationDevices, AverageSamplesFromTheFirstStepThatCounts) {
  CalibrationDevices devices;
  devices.restart();
  devices.take(busy(1.0), at(1));  // start-up
  devices.count_from(at(3));
  devices.count_from(at(4));  // begin of a later step
  devices.take(busy(10.0), at(2));
  devices.take(busy(60.0), at(3));
  devices.take(busy(80.0), at(4));

  const DeviceReading reading = devices.mean();

  EXPECT_DOUBLE_EQ(reading.sm_activity, 0.7);
  EXPECT_DOUBLE_EQ(reading.dram_activity, 0.35);
  EXPECT_EQ(reading.tensor_activity, -1.0);
  EXPECT_EQ(reading.kernels, -1.0);
}

TEST(CalibrationDevices, ForgetTheMeasurementBefore) {
  CalibrationDevices devices;
  devices.count_from(at(0));
  devices.take(busy(50.0), at(1));
  devices.take(AttemptId{0}, JobId{0}, captured(12));

  devices.restart();
  devices.take(busy(50.0), at(2));

  EXPECT_EQ(devices.mean().sm_activity, -1.0);
  EXPECT_EQ(devices.mean().kernels, -1.0);
}

TEST(CalibrationDevices, KeepTheMemoryOfAReplica) {
  CalibrationDevices devices;
  EXPECT_EQ(devices.mean().memory_peak, -1.0);
  kernels::DeviceReport report;
  report.held_bytes = 3'000'000'000;
  devices.take(AttemptId{0}, JobId{0}, report);
  EXPECT_EQ(devices.mean().memory_peak, 3e9);

  devices.restart();

  EXPECT_EQ(devices.mean().memory_peak, -1.0);
}

TEST(CalibrationDevices, CountTheKernelsOfACapturedStep) {
  CalibrationDevices devices;

  devices.take(AttemptId{0}, JobId{0}, captured(1297));

  EXPECT_EQ(devices.mean().kernels, 1297.0);
}

// 30 and 10 kernels in four steps; copies and fills do not count.
TEST(CalibrationDevices, CountTheKernelsOfTracedSteps) {
  kernels::DeviceReport report;
  report.add(KernelClass::gemm, 30, Duration{1});
  report.add(KernelClass::optimiser, 10, Duration{1});
  report.add(KernelClass::copy, 4, Duration{1});
  report.add(KernelClass::memset, 8, Duration{1});
  report.traced_steps = 4;
  CalibrationDevices devices;

  devices.take(AttemptId{0}, JobId{0}, report);

  EXPECT_EQ(devices.mean().kernels, 10.0);
}

}  // namespace
}  // namespace mimus::emulator
