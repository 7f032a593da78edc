// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mimus::emulator {

/// The parts of a scheduler::ClusterShape::shape_of().
struct GangShape {
  int racks = 1;
  std::vector<int> per_node;  ///< replicas
  [[nodiscard]] int nodes() const { return static_cast<int>(per_node.size()); }
  [[nodiscard]] int replicas() const;
};

/// Nothing when `text` is no shape, e.g. "2+2" or "racks:2/1+1".
[[nodiscard]] std::optional<GangShape> parse_shape(std::string_view text);

}  // namespace mimus::emulator
