// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "base/shared_memory.hpp"
#include "kernels/cpu/cpu_device.hpp"

namespace mimus::kernels {

/// Two tenants of GPU 0 with one ledger and one book of turns, driven by a clock of the test's own:
/// what is paced never depends on when the test gets to run.
struct CpuDeviceTest : testing::Test {
  static constexpr int kLanes = 3;
  SharedMemory memory = SharedMemory::anonymous(Ledger::bytes_needed(1));
  Ledger ledger{{static_cast<std::byte*>(memory.data()), memory.size()}, 1, Bytes{16e9}};
  SharedMemory turn_memory = SharedMemory::anonymous(TurnBook::bytes_needed(1, kLanes));
  TurnBook turns{{static_cast<std::byte*>(turn_memory.data()), turn_memory.size()}, 1, kLanes};
  CpuDevice device{ledger, options(0)};
  CpuDevice other{ledger, options(1)};
  WallInstant start = wall_now() - std::chrono::minutes{1};  // all of it lies in the past

  CpuDeviceOptions options(int lane) {
    CpuDeviceOptions out;
    out.turns = &turns;
    out.seat = {.gpu = 0, .first_lane = 0, .lanes = kLanes, .lane = lane};
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
