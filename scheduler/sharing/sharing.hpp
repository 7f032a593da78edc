// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/registry.hpp"
#include "scheduler/cluster.hpp"

namespace mimus::scheduler {

/// A set of GPUs to offer to the placement choice.
enum class Tier {
  idle,    ///< without tenants
  shared,  ///< with tenants that the job may join
  any,     ///< both
};

/// Who may share a GPU?
class Sharing {
 public:
  virtual ~Sharing() = default;
  [[nodiscard]] virtual int max_tenants() const = 0;
  /// Sets of GPUs to offer, one after the other until the gang fits into one.
  [[nodiscard]] virtual std::span<const Tier> tiers() const = 0;
  /// May a replica that needs `memory` join the tenants of this GPU of `capacity` bytes (zero: not
  /// stated)? Asked only for GPUs with a tenant, a free lane and none of the same job.
  [[nodiscard]] virtual bool admits(const GpuState& gpu, Bytes memory, Bytes capacity) const = 0;
};

[[nodiscard]] const Registry<Sharing>& sharing_choices();

}  // namespace mimus::scheduler
