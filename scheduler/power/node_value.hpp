// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/ids.hpp"

namespace mimus::scheduler {

/// What nodes are worth to the jobs that are there, in one round of a planner. The unit is the
/// estimated goodput of a job on one GPU: a job that is three times as fast on four GPUs has the
/// value 3 there.
class NodeValue {
 public:
  virtual ~NodeValue() = default;
  /// Of the GPUs that the jobs have now, of all jobs together.
  [[nodiscard]] virtual double now() const = 0;
  /// The same if the planner allocated the GPUs of these nodes only.
  [[nodiscard]] virtual double of(std::span<const NodeId> nodes) = 0;
  /// Number of GPUs of the largest gang that cannot be made smaller.
  [[nodiscard]] virtual int least_gpus() const = 0;
};

}  // namespace mimus::scheduler
