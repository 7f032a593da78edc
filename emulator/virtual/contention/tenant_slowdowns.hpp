// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/virtual/contention/interference_model.hpp"

namespace mimus::emulator {

using TenantsOfGpus = std::vector<std::vector<AttemptId>>;  ///< by GPU, ascending
using SharingAttempts = std::unordered_map<AttemptId, SharingAttempt>;

/// How much co-tenants slow attempts, at one instant. Where tenants take turns, the slowdown of an
/// attempt depends on how its co-tenants are slowed, here and on their other GPUs, but no further:
/// those slowdowns are estimated as if all tenants of a GPU wanted it all the time.
class TenantSlowdowns {
 public:
  /// All arguments must outlive this object, and not change.
  TenantSlowdowns(const TenantsOfGpus& tenants, const SharingAttempts& attempts,
                  const InterferenceModel& interference)
      : tenants_(tenants), attempts_(attempts), interference_(interference) {}

  /// The slowdown of the slowest replica, which determines the speed of the gang, or that of the
  /// gang where it was measured.
  [[nodiscard]] double of(const SharingAttempt& gang);

 private:
  [[nodiscard]] std::vector<const SharingAttempt*> all_beside(const SharingAttempt& gang) const;
  [[nodiscard]] std::vector<const SharingAttempt*> beside(const SharingAttempt& own,
                                                          GpuId gpu) const;
  [[nodiscard]] double on(const SharingAttempt& gang, GpuId gpu);
  [[nodiscard]] CoTenant co_tenant(const SharingAttempt& other, GpuId gpu);
  [[nodiscard]] double estimate(const SharingAttempt& gang, GpuId gpu);

  const TenantsOfGpus& tenants_;
  const SharingAttempts& attempts_;
  const InterferenceModel& interference_;
  std::map<std::pair<AttemptId, GpuId>, double> estimates_;
};

}  // namespace mimus::emulator
