// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/gpu_spec.hpp"

#include <map>
#include <string_view>
#include <utility>

#include "base/mapping_fields.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_gpus();
}  // namespace mimus::embedded

namespace mimus::kernels {
namespace {

using G = GpuSpec;

Fields<G> device_fields() {
  return {
      required_field("name", &G::name, {}, "what cluster.gpu says"),
      required_field("source", &G::source, {}, "where the figures are from"),
      required_field("fp32", &G::fp32, kPositive, "dense peak, no tensor cores"),
      optional_field("tf32", &G::tf32, kPositive, "dense peak of the tensor cores on fp32 data"),
      required_field("fp16", &G::fp16, kPositive, "dense peak of the tensor cores"),
      required_field("memory_bandwidth", &G::memory_bandwidth, kPositive,
                     "bandwidth of the device memory"),
      required_field("memory", &G::memory, kPositive, "memory of the device"),
      required_field("multiprocessors", &G::multiprocessors, kAtLeastOne,
                     "multiprocessors of the device")};
}

Field<G> link_field(const char* name, LinkRate G::*member, LinkEnds ends, const char* summary) {
  return {link_parameter(name, ends, "", summary),
          [name, member, ends](YamlReader& reader, G& gpu) {
            gpu.*member = read_link_rate(reader, name, ends);
          }};
}

Fields<G> machine_fields() {
  return {
      link_field("island_link", &G::island_link, LinkEnds::gpus, "GPUs of one island"),
      link_field("node_link", &G::node_link, LinkEnds::gpus, "GPUs of one node"),
      link_field("network", &G::network, LinkEnds::nodes, "uplink of a usual node"),
      field("gpus_per_node", &G::gpus_per_node, between(1, 64), "GPUs of a usual node"),
      required_field("host_link", &G::host_link, kPositive, "per direction, to the host"),
      required_field("launch_gap", &G::launch_gap, kNotNegative, "host time per kernel launch")};
}

Field<G> power_field() {
  using P = PowerDraw;
  return mapping_field(
      "power", &G::power,
      Fields<P>{required_field("idle", &P::idle, kNotNegative, "of an idle GPU, in watts"),
                required_field("busy", &P::busy, kPositive,
                               "of a GPU that trains without a pause, in watts"),
                required_field("host", &P::host, kNotNegative,
                               "of the rest of a usual server that is on, in watts"),
                field("asleep", &P::asleep, kNotNegative,
                      "of a whole server that is switched off, in watts")},
      "", "draw, from which the energy of emulated devices is modelled");
}

Field<G> models_field() {
  return named_mappings(
      "models", &G::models,
      Fields<ModelRates>{
          mapping_field("host", &ModelRates::host, workloads::host_work_fields(), "",
                        "host times in place of the model's own"),
          mapping_field("efficiency", &ModelRates::efficiency, workloads::efficiency_fields(), "",
                        "host times in place of the model's own")},
      "a model", "measurements of models on such machines, by name");
}

/// Returns null if the model was not measured on such machines. How a model is split changes
/// neither its host work nor its kernels.
const ModelRates* measured_rates(const workloads::Model& model, const GpuSpec& gpu) {
  const auto found = gpu.models.find(model.base_name());
  return found == gpu.models.end() ? nullptr : &found->second;
}

/// A file of machine types.
struct GpuTable {
  int schema = 0;
  std::vector<GpuSpec> gpus;
};

const Fields<GpuTable>& table_fields() {
  static const Fields<GpuTable> fields{
      required_field("schema", &GpuTable::schema, between(1, 1), "version of this file format"),
      required_list("gpus", &GpuTable::gpus, gpu_fields(), "needs at least one", "GPU types")};
  return fields;
}

std::vector<GpuSpec> read_table(std::string_view text) {
  const std::string name(embedded::embedded_gpus().front().first);
  return read_gpu_table(parse_embedded_yaml(std::string(text), name));
}

/// How an entry of the embedded table begins. Finding it avoids reading the whole table, which
/// takes longer than many a virtual run.
constexpr std::string_view kEntry = "\n  - name: ";

/// The table with one entry only, or "" if there is no such entry.
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
  return read_mapping(gpu_fields(), YamlReader(node, path));
}

const Fields<GpuSpec>& gpu_fields() {
  static const Fields<GpuSpec> fields =
      all_of<GpuSpec>({device_fields(), machine_fields(), {power_field(), models_field()}});
  return fields;
}

std::vector<GpuSpec> read_gpu_table(const ConfigNode& document) {
  return read_mapping(table_fields(), YamlReader(document, "")).gpus;
}

std::vector<ParameterInfo> gpu_table_parameters() {
  return parameters_of(table_fields());
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
