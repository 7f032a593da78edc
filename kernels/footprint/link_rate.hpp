// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/parameter.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// The speed of a class of links, per direction. The two rates can differ by a factor of ten:
/// sockets in place of RDMA, PCIe without peer access, one network card for all GPUs of a node.
struct LinkRate {
  BytesPerSecond rate{};  ///< of the datasheet
  /// The rate that all-reduces reach: the bus bandwidth of nccl-tests (PERFORMANCE.md). Nothing if
  /// unknown.
  std::optional<BytesPerSecond> effective;

  /// The same for gangs on two nodes, if it is lower because both directions of their ring are
  /// between the same two hosts. Only for networks; nothing if it equals `effective`.
  std::optional<BytesPerSecond> effective_two_nodes;

  /// The rate with which transfers are timed.
  [[nodiscard]] BytesPerSecond reached() const { return effective.value_or(rate); }
  /// The same for a gang on `nodes` nodes.
  [[nodiscard]] BytesPerSecond reached_on(int nodes) const {
    return nodes == 2 ? effective_two_nodes.value_or(reached()) : reached();
  }
  bool operator==(const LinkRate&) const = default;
};

/// Networks may state `effective_two_nodes`.
enum class LinkEnds { gpus, nodes };

/// `KEY: 50 Gbit/s`, or `KEY: {rate: 50 Gbit/s, effective: 4.5 Gbit/s}`. Throws ConfigError.
[[nodiscard]] LinkRate read_link_rate(YamlReader& reader, const std::string& key, LinkEnds ends);
/// What is said of such a key.
[[nodiscard]] ParameterInfo link_parameter(std::string key, LinkEnds ends, std::string fallback,
                                           std::string summary);

/// "6.25 GB/s, reached 0.56 GB/s", or "6.25 GB/s by its datasheet".
[[nodiscard]] std::string text_of(const LinkRate& link);

}  // namespace mimus::kernels
