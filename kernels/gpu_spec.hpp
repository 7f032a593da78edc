// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/registry.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// Datasheet of a GPU type: dense peak rates, memory, and the links of a usual server with it.
struct GpuSpec {
  std::string name;
  std::string source;
  FlopPerSecond fp32{};  ///< TF32 tensor cores where the GPU has them count as `tf32`
  FlopPerSecond tf32{};  ///< zero where absent
  FlopPerSecond fp16{};  ///< tensor cores, fp16 in, fp32 accumulate
  BytesPerSecond memory_bandwidth{};
  Bytes memory{};
  int multiprocessors = 0;
  BytesPerSecond island_link{};  ///< per GPU and direction within an island (NVLink or PCIe switch)
  BytesPerSecond node_link{};    ///< per GPU and direction within a node, across islands
  BytesPerSecond host_link{};    ///< per GPU and direction, host to device
  Duration launch_gap{};         ///< host time per eager kernel launch
};

/// The table of kernels/gpus.yaml, embedded at build time.
[[nodiscard]] const std::vector<GpuSpec>& gpu_specs();
/// UsageError naming the nearest match when unknown.
[[nodiscard]] const GpuSpec& gpu_spec(const std::string& name);
[[nodiscard]] std::vector<std::string> gpu_names();
/// Keys of the table's file.
[[nodiscard]] std::vector<ParameterInfo> gpu_table_parameters();

}  // namespace mimus::kernels
