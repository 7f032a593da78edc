// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.hpp"

namespace mimus::scheduler {

enum class NodePower { on, booting, asleep };
[[nodiscard]] constexpr const char* name(NodePower state) {
  if (state == NodePower::on) return "on";
  return state == NodePower::booting ? "booting" : "asleep";
}

/// The node is in this state from now on.
struct NodePowerChange {
  NodeId node;
  NodePower state = NodePower::on;
};

}  // namespace mimus::scheduler
