// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/node_outages.hpp"

#include <algorithm>

namespace mimus::emulator {

NodeOutages::NodeOutages(const std::vector<Outage>& outages) {
  for (const Outage& outage : outages) {
    changes_.push_back({outage.down, false, outage.node});
    changes_.push_back({outage.up, true, outage.node});
  }
  std::sort(changes_.begin(), changes_.end());
}

}  // namespace mimus::emulator
