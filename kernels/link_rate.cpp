// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/link_rate.hpp"

#include <fmt/format.h>

namespace mimus::kernels {
namespace {

double gigabytes(BytesPerSecond rate) {
  return rate.value / 1e9;
}

}  // namespace

LinkRate read_link_rate(YamlReader& reader, std::string_view key) {
  if (reader.node(key).kind != ConfigNode::Kind::mapping) {
    return {.rate = reader.get<BytesPerSecond>(key, kPositive), .effective = std::nullopt};
  }
  YamlReader rates = reader.map(key);
  LinkRate link;
  link.rate = rates.get<BytesPerSecond>("rate", kPositive);
  link.effective = rates.get_if<BytesPerSecond>("effective", kPositive);
  if (link.effective && *link.effective > link.rate) {
    rates.fail("effective",
               fmt::format("{:g} GB/s is above the rate of the link, which is {:g} GB/s",
                           gigabytes(*link.effective), gigabytes(link.rate)));
  }
  rates.finish();
  return link;
}

std::vector<ParameterInfo> link_rate_fields() {
  return {{"rate", "bandwidth", "", "> 0", "of the datasheet, per direction"},
          {"effective", "bandwidth", "-", "> 0", "that all-reduces reach; without it the rate"}};
}

std::string text_of(const LinkRate& link) {
  if (!link.effective) return fmt::format("{:g} GB/s by its datasheet", gigabytes(link.rate));
  return fmt::format("{:g} GB/s, reached {:g} GB/s", gigabytes(link.rate),
                     gigabytes(*link.effective));
}

}  // namespace mimus::kernels
