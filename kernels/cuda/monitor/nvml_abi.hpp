// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The part of NVML's binary interface that Mimus uses, so that the program builds without nvml.h.
/// Layouts and values are those of NVIDIA's public nvml.h of CUDA 12.2 and of nvidia-ml-py 13. NVML
/// keeps both as long as a function's name exists; otherwise it renames the function (`_v2`).
namespace mimus::kernels::cuda::nvml_abi {

using Device = struct OpaqueDevice*;        ///< nvmlDevice_t
using GpmSample = struct OpaqueGpmSample*;  ///< nvmlGpmSample_t

/// nvmlReturn_t. Not an enum class: a newer driver returns values that are not listed here.
using Return = int;
inline constexpr Return kSuccess = 0;
inline constexpr Return kInvalidArgument = 2;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNoPermission = 4;
inline constexpr Return kNotFound = 6;
inline constexpr Return kDriverNotLoaded = 9;
inline constexpr Return kFunctionNotFound = 13;
inline constexpr Return kGpuIsLost = 15;
inline constexpr Return kLibraryVersionMismatch = 18;
inline constexpr Return kUnknown = 999;

inline constexpr unsigned kTextBytes = 96;  ///< NVML_DEVICE_{NAME,UUID}_V2_BUFFER_SIZE, the longest
inline constexpr unsigned kMaxNvLinks = 36;  ///< NVML_NVLINK_MAX_LINKS of NVML 13; it was 18 in 12

enum ClockType : int { kClockSm = 1, kClockMemory = 2 };  ///< nvmlClockType_t
enum TemperatureSensor : int { kTemperatureGpu = 0 };     ///< nvmlTemperatureSensors_t
enum P2pCapability : int { kP2pNvLink = 2 };              ///< nvmlGpuP2PCapsIndex_t
enum P2pStatus : int { kP2pOk = 0 };                      ///< nvmlGpuP2PStatus_t
enum EnableState : int { kDisabled = 0, kEnabled = 1 };   ///< nvmlEnableState_t

/// nvmlIntNvLinkDeviceType_t
enum NvLinkPeer : int { kPeerGpu = 0, kPeerSwitch = 2, kPeerUnknown = 255 };

/// nvmlGpuTopologyLevel_t: the lowest thing that two devices share.
enum TopologyLevel : int {
  kInternal = 0,     ///< a board with two GPUs
  kSingle = 10,      ///< one PCIe switch
  kMultiple = 20,    ///< several PCIe switches, no host bridge
  kHostBridge = 30,  ///< a host bridge
  kNode = 40,        ///< a NUMA node
  kSystem = 50,      ///< the interconnect between NUMA nodes
};

/// nvmlPciInfo_t since nvmlDeviceGetPciInfo_v3.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];  ///< "%08X:%02X:%02X.0"
};

/// nvmlUtilization_t [%], over the past sample period of 1/6 s to 1 s.
struct Utilization {
  unsigned gpu;
  unsigned memory;
};

/// nvmlMemory_t [bytes]
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

/// nvmlGpmMetricId_t
enum GpmMetricId : unsigned {
  kGpmSmActivity = 2,
  kGpmSmOccupancy = 3,
  kGpmTensorActivity = 5,
  kGpmDramBandwidth = 10,
  kGpmFp32Activity = 12,
  kGpmPcieSent = 20,        ///< [MiB/s]
  kGpmPcieReceived = 21,    ///< [MiB/s]
  kGpmNvLinkReceived = 60,  ///< all links [MiB/s]
  kGpmNvLinkSent = 61,      ///< all links [MiB/s]
};

/// nvmlGpmMetric_t
struct GpmMetric {
  unsigned id;
  Return status;
  double value;
  struct {
    char* short_name;
    char* long_name;
    char* unit;
  } info;
};

/// nvmlGpmMetricsGet_t. Its array has 98 to 477 entries, depending on the header's age; the library
/// accesses the first `metric_count` of them.
struct GpmMetricsGet {
  unsigned version;
  unsigned metric_count;
  GpmSample first;
  GpmSample second;
  GpmMetric metrics[98];
};
inline constexpr unsigned kGpmMetricsGetVersion = 1;

/// nvmlGpmSupport_t
struct GpmSupport {
  unsigned version;
  unsigned is_supported;
};
inline constexpr unsigned kGpmSupportVersion = 1;

static_assert(sizeof(PciInfo) == 68 && sizeof(Memory) == 24 && sizeof(Utilization) == 8);
static_assert(sizeof(GpmMetric) == 40 && sizeof(GpmMetricsGet) == 24 + 98 * sizeof(GpmMetric));

}  // namespace mimus::kernels::cuda::nvml_abi
