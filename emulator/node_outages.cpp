// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/node_outages.hpp"

#include <algorithm>

namespace mimus::emulator {

NodeOutages::NodeOutages(const std::vector<Outage>& outages) {
  for (const Outage& outage : outages) {
    changes_.push_back({outage.down, false, outage.node});
    changes_.push_back({outage.up, true, outage.node});
  }
  std::sort(changes_.begin(), changes_.end());
}

Instant NodeOutages::first_down(const std::set<NodeId>& nodes) const {
  const auto is_hit = [&](const Change& change) {
    return !change.comes_up && nodes.contains(change.node);
  };
  const auto left = changes_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto found = std::find_if(left, changes_.end(), is_hit);
  return found == changes_.end() ? kNever : found->at;
}

}  // namespace mimus::emulator
