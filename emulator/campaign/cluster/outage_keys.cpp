// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cluster/outage_keys.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

Fields<Outage> outage_fields() {
  const Param<std::int64_t> node("node", std::nullopt, kNotNegative, "number of the node, from 0");
  const Param<Duration> down("down", std::nullopt, kNotNegative, "when it goes down");
  const Param<Duration> up("up", std::nullopt, kPositive, "when it comes back, later than down");
  return {{node.info(),
           [node](YamlReader& reader, Outage& outage) { outage.node = NodeId{node.read(reader)}; }},
          {down.info(), [down](YamlReader& reader,
                               Outage& outage) { outage.down = Instant{down.read(reader)}; }},
          {up.info(),
           [up](YamlReader& reader, Outage& outage) { outage.up = Instant{up.read(reader)}; }}};
}

std::vector<Outage> read_outages(YamlReader& reader, const scheduler::ClusterShape& shape) {
  std::vector<Outage> outages;
  if (!reader.has("outages")) return outages;
  const auto& items = reader.sequence("outages");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader item(items[i], fmt::format("{}[{}]", reader.child_path("outages"), i));
    Outage outage;
    for (const Field<Outage>& field : outage_fields()) field.read(item, outage);
    if (outage.node.value() >= shape.nodes) {
      item.fail("node", fmt::format("the last node is {}", shape.nodes - 1));
    }
    if (outage.up <= outage.down) item.fail("up", "must be later than down");
    item.finish();
    outages.push_back(outage);
  }
  const auto by_node = [](const Outage& a, const Outage& b) {
    return std::pair(a.node, a.down) < std::pair(b.node, b.down);
  };
  std::sort(outages.begin(), outages.end(), by_node);
  for (std::size_t i = 1; i < outages.size(); ++i) {
    const bool overlap =
        outages[i].node == outages[i - 1].node && outages[i].down <= outages[i - 1].up;
    if (!overlap) continue;
    reader.fail("outages", fmt::format("two outages of node {} overlap or touch; merge them",
                                       outages[i].node.value()));
  }
  return outages;
}

Fields<NodeFailures> node_failure_fields() {
  using Chance = NodeFailures;
  return {
      required_field("mean_time_between", &Chance::between, kPositive,
                     "mean time for which a node is up between two failures"),
      field("shape", &Chance::shape, between(0.2, 5),
            "shape of that time's Weibull law; below 1, a node fails soonest after a repair"),
      required_field("repair", &Chance::repair, kPositive, "mean time until a node is mended"),
      field("repair_sigma", &Chance::repair_sigma, between(0, 3),
            "lognormal spread of that time; 0: always the mean"),
      field("faulty", &Chance::faulty, kFraction,
            "share of the failures at which the node stays up and what runs on it fails, with "
            "the reason \"GPU ECC error\""),
      field("faults_every", &Chance::between_faults, kPositive,
            "mean time between two such failures of what runs on the node, until it is mended")};
}

}  // namespace

Field<ClusterConfig> outages_field() {
  return {{"outages",
           {.form = ValueSpec::Form::list, .beyond = "{node, down, up}"},
           "-",
           "periods during which nodes are down",
           parameters_of(outage_fields())},
          [](YamlReader& reader, ClusterConfig& cluster) {
            cluster.outages = read_outages(reader, cluster.shape);
          }};
}

Field<ClusterConfig> node_failures_field() {
  return {{"node_failures",
           {.form = ValueSpec::Form::mapping},
           "-",
           "nodes fail at random, independently of each other",
           parameters_of(node_failure_fields())},
          [](YamlReader& reader, ClusterConfig& cluster) {
            if (!reader.has("node_failures")) return;
            YamlReader failures = reader.map("node_failures");
            cluster.node_failures = read_fields(node_failure_fields(), failures);
            failures.finish();
          }};
}

}  // namespace mimus::emulator
