// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "emulator/live/messages/protocol.hpp"
#include "kernels/device_report.hpp"

namespace mimus::emulator {

/// Takes measurements of physical devices, on rank 0. They bypass testbed and scheduler.
class DeviceSink {
 public:
  DeviceSink() = default;
  DeviceSink(const DeviceSink&) = delete;
  DeviceSink& operator=(const DeviceSink&) = delete;
  virtual ~DeviceSink() = default;

  /// A sample that was taken at `time`, emulated; the row's own time is not set.
  virtual void take(const DeviceSampleMessage& sample, Instant time) = 0;
  /// Measurements of the device of an attempt's lead, after the attempt has ended.
  virtual void take(AttemptId attempt, JobId job, const kernels::DeviceReport& report) = 0;
};

}  // namespace mimus::emulator
