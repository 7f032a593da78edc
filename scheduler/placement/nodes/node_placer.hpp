// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/jobs/placement_request.hpp"

namespace mimus::scheduler {

/// Places gangs on the nodes of one cluster, whose changes it follows.
class NodePlacer {
 public:
  virtual ~NodePlacer() = default;
  /// Where the gang would go now; nothing where it does not fit.
  [[nodiscard]] virtual std::optional<Allocation> find(const PlacementRequest& request) = 0;
};

}  // namespace mimus::scheduler
