// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/gpu_spec.hpp"

#include <map>
#include <string_view>
#include <utility>

#include "base/yaml_reader.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_gpus();
}  // namespace mimus::embedded

namespace mimus::kernels {
namespace {

std::map<std::string, ModelRates> read_models(YamlReader reader) {
  std::map<std::string, ModelRates> models;
  for (const auto& [name, node] : reader.mapping().members) {
    YamlReader entry = reader.map(name);
    ModelRates& rates = models[name];
    if (entry.has("host")) rates.host = workloads::read_host_work(entry.map("host"));
    if (entry.has("efficiency")) {
      rates.efficiency = workloads::read_efficiency(entry.map("efficiency"));
    }
    entry.finish();
  }
  return models;
}

/// Nothing when the model was not measured on such machines. How a model is split changes neither
/// its host nor its kernels.
const ModelRates* measured_rates(const workloads::Model& model, const GpuSpec& gpu) {
  const auto found = gpu.models.find(model.base_name());
  return found == gpu.models.end() ? nullptr : &found->second;
}
std::vector<GpuSpec> read_table(std::string_view text) {
  const std::string name(embedded::embedded_gpus().front().first);
  const ConfigNode document = parse_embedded_yaml(std::string(text), name);
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

/// How an entry of the embedded table begins. Looking for it saves reading the whole table, which
/// takes longer than many a virtual run.
constexpr std::string_view kEntry = "\n  - name: ";

/// The table with one entry only, empty when it is not found.
std::string table_of_one(const std::string& name) {
  const std::string_view text = embedded::embedded_gpus().front().second;
  const auto begin = text.find(std::string(kEntry) + name + "\n");
  if (begin == std::string_view::npos) return {};
  const auto length = text.find(kEntry, begin + 1) - begin;
  return std::string(text.substr(0, text.find(kEntry))).append(text.substr(begin, length));
}

}  // namespace

workloads::HostWork host_work(const workloads::Model& model, const GpuSpec& gpu) {
  const ModelRates* measured = measured_rates(model, gpu);
  return measured != nullptr && measured->host ? *measured->host : model.host_on(gpu.name);
}

workloads::Efficiency efficiency(const workloads::Model& model, const GpuSpec& gpu) {
  const ModelRates* measured = measured_rates(model, gpu);
  if (measured != nullptr && measured->efficiency) return *measured->efficiency;
  return model.efficiency_on(gpu.name);
}

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
  gpu.island_link = read_link_rate(reader, "island_link");
  gpu.node_link = read_link_rate(reader, "node_link");
  gpu.network = read_network_rate(reader, "network");
  gpu.gpus_per_node = static_cast<int>(
      reader.get_or<std::int64_t>("gpus_per_node", gpu.gpus_per_node, {.min = 1.0, .max = 64.0}));
  gpu.host_link = reader.get<BytesPerSecond>("host_link", kPositive);
  gpu.launch_gap = reader.get<Duration>("launch_gap", kNotNegative);
  if (reader.has("models")) gpu.models = read_models(reader.map("models"));
  reader.finish();
  return gpu;
}

std::vector<ParameterInfo> gpu_fields() {
  const std::vector<ParameterInfo> model_fields{
      {"host", "mapping", "-", "", "in place of the model's own", workloads::host_work_fields()},
      {"efficiency", "mapping", "-", "", "in place of the model's own",
       workloads::efficiency_fields()}};
  return {
      {"name", "text", "", "", "what cluster.gpu says"},
      {"source", "text", "", "", "where the figures are from"},
      {"fp32", "compute rate", "", "> 0", "dense peak, no tensor cores"},
      {"tf32", "compute rate", "-", "> 0", "dense peak of the tensor cores on fp32 data"},
      {"fp16", "compute rate", "", "> 0", "dense peak of the tensor cores"},
      {"memory_bandwidth", "bandwidth", "", "> 0", "of the device memory"},
      {"memory", "memory", "", "> 0", "of the device"},
      {"multiprocessors", "integer", "", ">= 1", "of the device"},
      {"island_link", "link", "", "> 0", "GPUs of one island", link_rate_fields()},
      {"node_link", "link", "", "> 0", "GPUs of one node", link_rate_fields()},
      {"network", "link", "", "> 0", "uplink of a usual node", network_rate_fields()},
      {"gpus_per_node", "integer", "8", ">= 1 and <= 64", "of a usual node"},
      {"host_link", "bandwidth", "", "> 0", "per direction, to the host"},
      {"launch_gap", "duration", "", ">= 0", "host time per kernel launch"},
      {"models",
       "mapping",
       "-",
       "",
       "what was measured of models on such machines, by name",
       {{"*", "mapping", "-", "", "a model", model_fields}}},
  };
}

std::vector<ParameterInfo> gpu_table_parameters() {
  return {{"schema", "integer", "", "1", "version of this file format"},
          {"gpus", "list of mappings", "", "at least one", "GPU types", gpu_fields()}};
}

const std::vector<GpuSpec>& gpu_specs() {
  static const std::vector<GpuSpec> table = read_table(embedded::embedded_gpus().front().second);
  return table;
}

const GpuSpec& gpu_spec(const std::string& name) {
  static std::map<std::string, GpuSpec> read;
  const auto known = read.find(name);
  if (known != read.end()) return known->second;
  const std::string one = table_of_one(name);
  if (one.empty()) throw UsageError(unknown_name_message("GPU type", name, gpu_names()));
  return read.emplace(name, read_table(one).front()).first->second;
}

std::vector<std::string> gpu_names() {
  const std::string_view text = embedded::embedded_gpus().front().second;
  std::vector<std::string> names;
  for (auto at = text.find(kEntry); at != std::string_view::npos; at = text.find(kEntry, at)) {
    at += kEntry.size();
    names.emplace_back(text.substr(at, text.find('\n', at) - at));
  }
  return names;
}

}  // namespace mimus::kernels
