// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/link_rate.hpp"

#include <fmt/format.h>

namespace mimus::kernels {
namespace {

double gigabytes(BytesPerSecond rate) {
  return rate.value / 1e9;
}

void refuse_above(YamlReader& rates, const char* key, std::optional<BytesPerSecond> reached,
                  BytesPerSecond most, const char* what) {
  if (!reached || *reached <= most) return;
  rates.fail(key, fmt::format("{:g} GB/s is above {}, which is {:g} GB/s", gigabytes(*reached),
                              what, gigabytes(most)));
}

LinkRate read_rates(YamlReader& reader, std::string_view key, bool between_nodes) {
  LinkRate link;
  if (reader.node(key).kind != ConfigNode::Kind::mapping) {
    link.rate = reader.get<BytesPerSecond>(key, kPositive);
    return link;
  }
  YamlReader rates = reader.map(key);
  link.rate = rates.get<BytesPerSecond>("rate", kPositive);
  link.effective = rates.get_if<BytesPerSecond>("effective", kPositive);
  refuse_above(rates, "effective", link.effective, link.rate, "the rate of the link");
  if (between_nodes) {
    link.effective_two_nodes = rates.get_if<BytesPerSecond>("effective_two_nodes", kPositive);
    refuse_above(rates, "effective_two_nodes", link.effective_two_nodes, link.reached(),
                 "what larger gangs reach");
  }
  rates.finish();
  return link;
}

}  // namespace

LinkRate read_link_rate(YamlReader& reader, std::string_view key) {
  return read_rates(reader, key, false);
}

LinkRate read_network_rate(YamlReader& reader, std::string_view key) {
  return read_rates(reader, key, true);
}

std::vector<ParameterInfo> link_rate_fields() {
  return {{"rate", "bandwidth", "", "> 0", "of the datasheet, per direction"},
          {"effective", "bandwidth", "-", "> 0", "that all-reduces reach; without it the rate"}};
}

std::vector<ParameterInfo> network_rate_fields() {
  auto fields = link_rate_fields();
  fields.push_back({"effective_two_nodes", "bandwidth", "-", "> 0",
                    "the same of gangs on two nodes; without it as of larger ones"});
  return fields;
}

std::string text_of(const LinkRate& link) {
  if (!link.effective) return fmt::format("{:g} GB/s by its datasheet", gigabytes(link.rate));
  const auto two = link.effective_two_nodes;
  return fmt::format("{:g} GB/s, reached {:g} GB/s{}", gigabytes(link.rate),
                     gigabytes(*link.effective),
                     two ? fmt::format(" ({:g} GB/s on two nodes)", gigabytes(*two)) : "");
}

}  // namespace mimus::kernels
