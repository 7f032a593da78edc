// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cluster/cluster_keys.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/mapping_fields.hpp"
#include "emulator/campaign/cluster/group_keys.hpp"
#include "emulator/campaign/cluster/outage_keys.hpp"
#include "emulator/campaign/cluster/price_keys.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

using C = ClusterConfig;
using Shape = scheduler::ClusterShape;

/// `gpu` names a type of the built-in table or the type that `machine` describes.
kernels::GpuSpec read_gpu(YamlReader& reader, const std::string& name) {
  if (reader.has("machine")) {
    kernels::GpuSpec own = kernels::read_gpu(reader.node("machine"), reader.child_path("machine"));
    if (own.name == name) return own;
    reader.fail("machine", fmt::format("describes GPU type \"{}\", but cluster.gpu is \"{}\"",
                                       own.name, name));
  }
  const auto names = kernels::gpu_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    reader.fail("gpu", unknown_name_message("GPU type", name, names));
  }
  return kernels::gpu_spec(name);
}

/// A stated rate by itself is that of the datasheet. The rate that collectives reach then follows
/// from a usual machine of this type, if one is known. On a slower link it is at most the machine's
/// rate. On a faster link it is the same fraction.
kernels::LinkRate read_uplink(YamlReader& reader, const std::string& key, kernels::LinkEnds ends,
                              const kernels::LinkRate& usual) {
  kernels::LinkRate link = kernels::read_link_rate(reader, key, ends);
  if (link.effective || !usual.effective) return link;
  const double faster = std::max(1.0, link.rate.value / usual.rate.value);
  link.effective = std::min(link.rate, faster * *usual.effective);
  if (!usual.effective_two_nodes || link.effective_two_nodes) return link;
  link.effective_two_nodes = std::min(*link.effective, faster * *usual.effective_two_nodes);
  return link;
}

Field<C> gpu_field() {
  const Param<std::string> name("gpu", std::nullopt, {},
                                "the machine type whose GPUs, links and hosts set the pace");
  ParameterInfo info = name.info();
  info.spec.beyond =
      fmt::format("a built-in type ({}) or one of gpus", fmt::join(kernels::gpu_names(), ", "));
  return {std::move(info), [name](YamlReader& reader, C& cluster) {
            cluster.gpu = read_gpu(reader, name.read(reader));
            cluster.shape.gpu_type = cluster.gpu.name;
            cluster.shape.gpu_memory = cluster.gpu.memory;
            cluster.network = cluster.rack_network = cluster.gpu.network;
          }};
}

/// Read together with `gpu`, whose name it must have.
Field<C> machine_field() {
  return {{"machine",
           {.form = ValueSpec::Form::mapping},
           "-",
           "definition of cluster.gpu, as an entry of a file of gpus",
           parameters_of(kernels::gpu_fields())},
          [](YamlReader& reader, C&) { (void)reader.has("machine"); }};
}

Field<C> island_field() {
  Field<Shape> key = required_field("gpus_per_island", &Shape::gpus_per_island, between(1, 64),
                                    "GPUs behind one NVLink or PCIe switch")
                         .beyond("divides gpus_per_node")
                         .copies("gpus_per_node");
  return {key.info, [read = key.read](YamlReader& reader, C& cluster) {
            Shape& shape = cluster.shape;
            shape.gpus_per_island = shape.gpus_per_node;
            if (reader.has("gpus_per_island")) read(reader, shape);
            if (shape.gpus_per_node % shape.gpus_per_island == 0) return;
            reader.fail("gpus_per_island",
                        fmt::format("{} does not divide gpus_per_node, which is {}",
                                    shape.gpus_per_island, shape.gpus_per_node));
          }};
}

/// One rate or several. `set` takes the value, which replaces the cluster's present one.
template <class Set>
Field<C> link_field(const char* name, const char* fallback, const char* summary,
                    kernels::LinkRate kernels::GpuSpec::*usual, Set set) {
  const auto ends =
      std::string_view(name) == "intra_node" ? kernels::LinkEnds::gpus : kernels::LinkEnds::nodes;
  return {kernels::link_parameter(name, ends, fallback, summary),
          [name, usual, set, ends](YamlReader& reader, C& cluster) {
            if (!reader.has(name)) return;
            set(cluster, read_uplink(reader, name, ends, cluster.gpu.*usual));
          }};
}

Fields<C> link_fields() {
  using Gpu = kernels::GpuSpec;
  using Link = kernels::LinkRate;
  return {link_field("intra_node", "-",
                     "link between GPUs of a node; by default that of the machine type",
                     &Gpu::node_link,
                     [](C& cluster, const Link& link) {
                       cluster.gpu.island_link = cluster.gpu.node_link = link;
                     }),
          link_field(
              "network", "-",
              "uplink of a node, per direction; by default that of the machine type", &Gpu::network,
              [](C& cluster, const Link& link) { cluster.network = cluster.rack_network = link; }),
          link_field("rack_network", "= network", "the same between racks", &Gpu::network,
                     [](C& cluster, const Link& link) { cluster.rack_network = link; })};
}

Field<C> memory_field() {
  return within(&C::shape,
                Fields<Shape>{optional_field("gpu_memory", &Shape::gpu_memory, kPositive,
                                             "memory of a GPU, in place of the datasheet's")})
      .front();
}

/// Of a node, in whole units.
Fields<C> host_fields() {
  const Param<std::optional<double>> cores(
      "cores", std::optional<double>{}, between(0.001, 1e6),
      "CPU cores of a node, to a thousandth; without them jobs take none");
  const Param<std::optional<Bytes>> memory("host_memory", std::optional<Bytes>{}, kPositive,
                                           "memory of a node; without it jobs take none");
  return {{cores.info(),
           [cores](YamlReader& reader, C& cluster) {
             const double stated = cores.read(reader).value_or(0.0);
             cluster.shape.host.milli_cores = std::llround(1000.0 * stated);
           }},
          {memory.info(), [memory](YamlReader& reader, C& cluster) {
             cluster.shape.host.memory = std::llround(memory.read(reader).value_or(Bytes{}).value);
           }}};
}

/// Of all nodes; read when their groups are known.
Fields<C> overcommit_field() {
  return within(
      &C::shape,
      Fields<Shape>{field("core_overcommit", &Shape::core_overcommit, {{.min = 1.0, .max = 100.0}},
                          "cores that jobs may ask for per core of a node; above 1, cores "
                          "that are short slow input pipelines")});
}

Field<C> data_field() {
  using D = DataConfig;
  Field<C> key = mapping_field(
      "data", &C::data,
      Fields<D>{field("storage", &D::storage, kPositive,
                      "bandwidth of the storage that holds data sets, which all readers share; "
                      "without it unlimited"),
                field("node_link", &D::node_link, kPositive,
                      "bandwidth at which a node reads from it, likewise"),
                field("cache", &D::cache, kPositive,
                      "memory of all nodes together that policy.cache has for data sets")},
      "", "storage, links and cache through which jobs read data sets");
  return {key.info, [read = key.read](YamlReader& reader, C& cluster) {
            read(reader, cluster);
            cluster.shape.data_cache = cluster.data.cache.value_or(Bytes{});
          }};
}

Fields<C> number_fields() {
  return within(
      &C::shape,
      Fields<Shape>{required_field("nodes", &Shape::nodes, between(1, 100'000), "emulated nodes"),
                    required_field("gpus_per_node", &Shape::gpus_per_node, between(1, 64),
                                   "emulated GPUs of a node")});
}

Fields<C> machine_fields() {
  return {gpu_field(), machine_field(), island_field()};
}

/// Keys that groups state, each for its own nodes, are not beside them.
Field<C> unless_groups(Field<C> field) {
  auto read = std::move(field.read);
  field.read = [read = std::move(read), name = field.info.name](YamlReader& reader, C& cluster) {
    if (!reader.has("groups")) return read(reader, cluster);
    if (reader.has(name)) {
      reader.fail(name, "is stated by each entry of groups; leave it out beside them");
    }
  };
  return field;
}

Field<C> rack_field() {
  Field<Shape> key = required_field("nodes_per_rack", &Shape::nodes_per_rack, between(1, 100'000),
                                    "nodes under one switch")
                         .copies("nodes");
  return {key.info, [read = key.read](YamlReader& reader, C& cluster) {
            const bool is_given = reader.has("nodes_per_rack") || !reader.has("groups");
            if (is_given) return read(reader, cluster.shape);
            cluster.shape.nodes_per_rack = 0;  // all in one, once they are known
          }};
}

Fields<C> all_unless_groups(Fields<C> fields) {
  for (Field<C>& field : fields) field = unless_groups(std::move(field));
  return fields;
}

Fields<C> all_fields() {
  const Fields<C> of_group = all_of<C>(
      {number_fields(), machine_fields(), link_fields(), {memory_field()}, host_fields()});
  return all_of<C>({all_unless_groups(number_fields()),
                    all_unless_groups(machine_fields()),
                    {rack_field()},
                    all_unless_groups(link_fields()),
                    {field_or("network_latency", &C::network_latency, std::chrono::microseconds(20),
                              between(0, 1), "latency from node to node, one way"),
                     field_or("storage", &C::storage, BytesPerSecond{1e9}, kPositive,
                              "checkpoint bandwidth of a node")},
                    {unless_groups(memory_field())},
                    all_unless_groups(host_fields()),
                    {groups_field(of_group)},
                    overcommit_field(),
                    {outages_field(), node_failures_field(), data_field(), price_field()}});
}

}  // namespace

const Fields<ClusterConfig>& cluster_fields() {
  static const Fields<ClusterConfig> fields = all_fields();
  return fields;
}

}  // namespace mimus::emulator
