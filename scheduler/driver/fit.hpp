// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/placement/placement.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Sharing and placement together: where a gang could go now.
class Fit {
 public:
  Fit(const Cluster& cluster, const Sharing& sharing, const Placement& placement)
      : cluster_(cluster), sharing_(sharing), placement_(placement) {}

  [[nodiscard]] std::optional<Allocation> find(const PlacementRequest& request) const;
  /// GPUs that could take one more tenant as far as lanes go, whatever its memory.
  [[nodiscard]] int open_gpus() const { return cluster_.gpus_below(sharing_.max_tenants()); }

 private:
  const Cluster& cluster_;
  const Sharing& sharing_;
  const Placement& placement_;
};

}  // namespace mimus::scheduler
