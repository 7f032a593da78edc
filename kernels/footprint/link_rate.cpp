// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/link_rate.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"

namespace mimus::kernels {
namespace {

double gigabytes(BytesPerSecond rate) {
  return rate.value / 1e9;
}

using Rate = std::optional<BytesPerSecond>;

void refuse_above(const YamlReader& rates, const char* key, const Rate& reached,
                  BytesPerSecond most, const char* what) {
  if (!reached || *reached <= most) return;
  rates.fail(key, fmt::format("{:g} GB/s is above {}, which is {:g} GB/s", gigabytes(*reached),
                              what, gigabytes(most)));
}

Fields<LinkRate> fields_of(LinkEnds ends) {
  using L = LinkRate;
  Fields<L> fields{
      required_field("rate", &L::rate, kPositive, "bandwidth in the datasheet, per direction"),
      field("effective", &L::effective, kPositive,
            "bandwidth that all-reduces reach; default: the rate")
          .then([](const YamlReader& rates, const L& link) {
            refuse_above(rates, "effective", link.effective, link.rate, "the rate of the link");
          })};
  if (ends == LinkEnds::gpus) return fields;
  fields.push_back(field("effective_two_nodes", &L::effective_two_nodes, kPositive,
                         "effective bandwidth of gangs on two nodes; default: that of larger gangs")
                       .then([](const YamlReader& rates, const L& link) {
                         refuse_above(rates, "effective_two_nodes", link.effective_two_nodes,
                                      link.reached(), "what larger gangs reach");
                       }));
  return fields;
}

const Fields<LinkRate>& link_fields(LinkEnds ends) {
  static const Fields<LinkRate> of_gpus = fields_of(LinkEnds::gpus);
  static const Fields<LinkRate> of_nodes = fields_of(LinkEnds::nodes);
  return ends == LinkEnds::gpus ? of_gpus : of_nodes;
}

}  // namespace

LinkRate read_link_rate(YamlReader& reader, const std::string& key, LinkEnds ends) {
  if (reader.node(key).kind == ConfigNode::Kind::mapping) {
    return read_mapping(link_fields(ends), reader.map(key));
  }
  LinkRate link;
  link.rate = reader.get<BytesPerSecond>(key, kPositive);
  return link;
}

ParameterInfo link_parameter(std::string key, LinkEnds ends, std::string fallback,
                             std::string summary) {
  const ValueSpec spec{.type = ValueSpec::Type::bandwidth,
                       .form = ValueSpec::Form::one_or_mapping,
                       .limits = kPositive};
  return {std::move(key), spec, std::move(fallback), std::move(summary),
          parameters_of(link_fields(ends))};
}

std::string text_of(const LinkRate& link) {
  if (!link.effective) return fmt::format("{:g} GB/s by its datasheet", gigabytes(link.rate));
  const auto two = link.effective_two_nodes;
  return fmt::format("{:g} GB/s, reached {:g} GB/s{}", gigabytes(link.rate),
                     gigabytes(*link.effective),
                     two ? fmt::format(" ({:g} GB/s on two nodes)", gigabytes(*two)) : "");
}

}  // namespace mimus::kernels
