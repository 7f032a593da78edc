// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "base/shared_memory.hpp"
#include "kernels/cpu/cpu_device.hpp"

namespace mimus::kernels {

/// Two lanes of GPU 0 on one ledger, driven by a clock of the test's own: what is paced never
/// depends on when the test gets to run.
struct CpuDeviceTest : testing::Test {
  SharedMemory memory = SharedMemory::anonymous(Ledger::bytes_needed(1));
  Ledger ledger{{static_cast<std::byte*>(memory.data()), memory.size()}, 1, Bytes{16e9}};
  CpuDevice device{ledger, options()};
  CpuDevice other{ledger, options()};
  WallInstant start = wall_now() - std::chrono::minutes{1};  // all of it lies in the past

  static CpuDeviceOptions options() {
    CpuDeviceOptions out;
    out.work_scale = 1e12;
    out.description = "test";
    return out;
  }
  static Segment segment(int device_ms, int host_ms) {
    Segment out;
    out.device_time = std::chrono::milliseconds{device_ms};
    out.host_time = std::chrono::milliseconds{host_ms};
    out.kernels = {{.kind = KernelKind::gemm,
                    .shape = {64, 64, 64, 1},
                    .flop = Flop{1e9},
                    .traffic = Bytes{1e6}}};
    return out;
  }
  static void finish(CpuDevice& which, std::int64_t segments) {
    while (which.completed() < segments) which.progress(wall_now());
  }
};

}  // namespace mimus::kernels
