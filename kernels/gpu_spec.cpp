// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gpu_spec.hpp"

#include <string_view>
#include <utility>

#include "base/yaml_reader.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_gpus();
}  // namespace mimus::embedded

namespace mimus::kernels {
namespace {

GpuSpec read_gpu(const ConfigNode& node, const std::string& path) {
  YamlReader reader(node, path);
  GpuSpec gpu;
  gpu.name = reader.get<std::string>("name");
  gpu.source = reader.get<std::string>("source");
  gpu.fp32 = reader.get<FlopPerSecond>("fp32", kPositive);
  gpu.tf32 = reader.get_or<FlopPerSecond>("tf32", FlopPerSecond{}, kPositive);
  gpu.fp16 = reader.get<FlopPerSecond>("fp16", kPositive);
  gpu.memory_bandwidth = reader.get<BytesPerSecond>("memory_bandwidth", kPositive);
  gpu.memory = reader.get<Bytes>("memory", kPositive);
  gpu.multiprocessors = static_cast<int>(reader.get<std::int64_t>("multiprocessors", kAtLeastOne));
  gpu.island_link = reader.get<BytesPerSecond>("island_link", kPositive);
  gpu.node_link = reader.get<BytesPerSecond>("node_link", kPositive);
  gpu.host_link = reader.get<BytesPerSecond>("host_link", kPositive);
  gpu.launch_gap = reader.get<Duration>("launch_gap", kNotNegative);
  reader.finish();
  return gpu;
}

std::vector<GpuSpec> read_table() {
  const auto [name, text] = embedded::embedded_gpus().front();
  const ConfigNode document = parse_yaml(std::string(text), std::string(name));
  YamlReader reader(document, "");
  (void)reader.get<std::int64_t>("schema", {.min = 1, .max = 1});
  std::vector<GpuSpec> table;
  const auto& items = reader.sequence("gpus");
  for (std::size_t i = 0; i < items.size(); ++i) {
    table.push_back(read_gpu(items[i], "gpus[" + std::to_string(i) + "]"));
  }
  reader.finish();
  return table;
}

}  // namespace

const std::vector<GpuSpec>& gpu_specs() {
  static const std::vector<GpuSpec> table = read_table();
  return table;
}

const GpuSpec& gpu_spec(const std::string& name) {
  for (const GpuSpec& gpu : gpu_specs()) {
    if (gpu.name == name) return gpu;
  }
  throw UsageError(unknown_name_message("GPU type", name, gpu_names()));
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const GpuSpec& gpu : gpu_specs()) names.push_back(gpu.name);
  return names;
}

}  // namespace mimus::kernels
