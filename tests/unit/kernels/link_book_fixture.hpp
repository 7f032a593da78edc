// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "base/shared_memory.hpp"
#include "kernels/pacing/link_pacer.hpp"

namespace mimus::kernels {

/// A book of links of GPUs and two nodes.
struct LinkBookTest : testing::Test {
  static constexpr int kChannels = 8;
  static constexpr int kLinkGpus = 8;
  static constexpr int kLinks = kLinkGpus + 2;  // and nodes

  SharedMemory memory = SharedMemory::anonymous(LinkBook::bytes_needed(kChannels, kLinks));
  std::span<std::byte> bytes{static_cast<std::byte*>(memory.data()), memory.size()};
  LinkBook book{bytes, kChannels, kLinks};

  /// The route of a gang, which is named like its first GPU, over uplinks of nodes.
  [[nodiscard]] static GangRoute route(int gpu, const std::vector<int>& nodes, int members = 1) {
    GangRoute out;
    out.channel.name = {gpu, 0};
    out.channel.members = members;
    out.channel.links = {{gpu}};
    for (const int node : nodes) out.channel.links.push_back({kLinkGpus + node});
    return out;
  }
};

inline WallInstant from_ms(double ms) {
  return WallInstant{std::chrono::milliseconds{1'000'000}} +
         Duration{static_cast<std::int64_t>(ms * 1e6)};
}

}  // namespace mimus::kernels
