// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/registry.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {

struct PowerDecision {
  std::vector<NodeId> asleep;  ///< ascending; nothing new is placed on these
  Instant wake_up = kNever;    ///< later than the present
};

/// Which nodes sleep? Asked before every pass over the queue.
class Power {
 public:
  virtual ~Power() = default;
  [[nodiscard]] virtual PowerDecision decide(const Cluster& cluster, std::size_t waiting,
                                             Instant now) = 0;
};

[[nodiscard]] const Registry<Power>& power_choices();

}  // namespace mimus::scheduler
