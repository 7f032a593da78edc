// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/units.hpp"
#include "kernels/footprint/link_rate.hpp"
#include "kernels/footprint/power_draw.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Measured values of one model on machines of one type, which replace those of the model's file.
struct ModelRates {
  std::optional<workloads::HostWork> host;
  std::optional<workloads::Efficiency> efficiency;
};

/// A machine type: the datasheet of its GPUs (dense peak rates, memory) and the links between them.
struct GpuSpec {
  std::string name;
  std::string source;
  FlopPerSecond fp32{};  ///< TF32 tensor cores count as `tf32`, if the GPU has them
  FlopPerSecond tf32{};  ///< zero where absent
  FlopPerSecond fp16{};  ///< tensor cores, fp16 in, fp32 accumulate
  BytesPerSecond memory_bandwidth{};
  Bytes memory{};
  int multiprocessors = 0;
  LinkRate island_link;                      ///< of a GPU within an island (NVLink or PCIe switch)
  LinkRate node_link;                        ///< of a GPU within a node, across islands
  LinkRate network;                          ///< uplink of a usual node with this GPU
  int gpus_per_node = 8;                     ///< of a usual node
  BytesPerSecond host_link{};                ///< per GPU and direction, host to device
  Duration launch_gap{};                     ///< host time per eager kernel launch
  std::optional<PowerDraw> power;            ///< nothing where it is not known
  std::map<std::string, ModelRates> models;  ///< by name, if they were measured on such machines
};

/// The host work for `model`, and the share of the peak rates that its kernels reach, on machines
/// of this type: measured there, or from the model's own file.
[[nodiscard]] workloads::HostWork host_work(const workloads::Model& model, const GpuSpec& gpu);
[[nodiscard]] workloads::Efficiency efficiency(const workloads::Model& model, const GpuSpec& gpu);

/// One entry of a table of machine types. Throws ConfigError.
[[nodiscard]] GpuSpec read_gpu(const ConfigNode& entry, const std::string& path);
[[nodiscard]] const Fields<GpuSpec>& gpu_fields();

/// The table of kernels/gpus.yaml, embedded at build time.
[[nodiscard]] const std::vector<GpuSpec>& gpu_specs();
/// Throws UsageError naming the nearest match if unknown.
[[nodiscard]] const GpuSpec& gpu_spec(const std::string& name);
[[nodiscard]] std::vector<std::string> gpu_names();
/// A file of such a table. Throws ConfigError.
[[nodiscard]] std::vector<GpuSpec> read_gpu_table(const ConfigNode& document);
/// Its keys.
[[nodiscard]] std::vector<ParameterInfo> gpu_table_parameters();

}  // namespace mimus::kernels
