// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "kernels/cuda/monitor/nvml_abi.hpp"

namespace mimus::kernels::cuda {

/// One NVLink of a fake GPU.
struct FakeNvLink {
  bool active = true;
  std::string remote;  ///< PCI bus id of the other end
  nvml_abi::NvLinkPeer peer = nvml_abi::kPeerUnknown;
};

struct FakeGpu {
  std::string bus_id{};  ///< as NVML spells it
  std::string name = "NVIDIA H200";
  std::string uuid = "GPU-0";
  nvml_abi::Return by_index = nvml_abi::kSuccess;  ///< NO_PERMISSION hides it from the count only
  nvml_abi::Utilization utilisation{};
  nvml_abi::Memory memory{};
  unsigned power = 0;             ///< [mW]
  unsigned long long energy = 0;  ///< [mJ]
  unsigned sm_clock = 0;          ///< [MHz]
  unsigned memory_clock = 0;      ///< [MHz]
  unsigned temperature = 0;       ///< [°C]
  unsigned long long events = 0;
  bool has_gpm = true;
  std::vector<FakeNvLink> nvlinks{};
};

struct FakeGpmValue {
  double value = 0.0;
  nvml_abi::Return status = nvml_abi::kSuccess;
};

/// What the fake libnvidia-ml answers; tests change it through `fake_nvml()`.
struct FakeNvml {
  std::vector<FakeGpu> gpus;
  std::map<std::string, nvml_abi::Return> failures;  ///< by function name
  std::map<unsigned, FakeGpmValue> gpm;              ///< by metric id
  nvml_abi::TopologyLevel level = nvml_abi::kSystem;
  nvml_abi::P2pStatus p2p = nvml_abi::kP2pOk;
  int initialised = 0;        ///< nvmlInit_v2 less nvmlShutdown
  int open_gpm_samples = 0;   ///< allocated less freed
  int first_gpm_reading = 0;  ///< number of the readings that were last compared
  int second_gpm_reading = 0;
  int gpm_readings = 0;
  std::deque<int> gpm_samples;  ///< each holds the number of its reading; -1 once it was freed
};

/// The state of the fake library at `path`, which stays loaded.
FakeNvml& fake_nvml(const char* path);

}  // namespace mimus::kernels::cuda
