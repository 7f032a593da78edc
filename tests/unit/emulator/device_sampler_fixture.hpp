// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/live/lane/device_sampler.hpp"
#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::emulator::test {

using kernels::cuda::fake_nvml;
using kernels::cuda::FakeNvml;
using kernels::cuda::Nvml;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

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

}  // namespace mimus::emulator::test
