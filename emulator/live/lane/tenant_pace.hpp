// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// How the tenants of a GPU share it in this cell, for results: the law and its parameters if the
/// device is emulated, otherwise what divides it. Throws ConfigError.
[[nodiscard]] std::string sharing_mode(const LiveCell& cell);
/// The law that an emulated device follows; null where none is emulated. Throws ConfigError.
[[nodiscard]] std::unique_ptr<SharingLaw> emulated_sharing(const LiveCell& cell);

/// The statuses of the workers that serve `gpu`, which are all on this host.
[[nodiscard]] std::span<RankStatus> tenants_of(const HostSegment& host,
                                               const scheduler::ClusterShape& cluster, GpuId gpu);

/// One worker's place among the tenants of its GPU, in the memory that the ranks of a host share.
/// Every tenant writes there what it requests of the device, and each computes by the law of the
/// cell how much the others slow it.
class TenantPace {
 public:
  /// `tenants`: the statuses of the workers of one GPU, including this one's, `own`; they must
  /// outlive it. `models`: what tenants may train, the same for all. Without a law no tenant is
  /// slowed.
  TenantPace(std::unique_ptr<SharingLaw> law, std::vector<std::string> models,
             std::span<RankStatus> tenants, RankStatus& own);

  /// Trains from `at` on; again after a change of its batch.
  void enter(const GpuTenant& tenant, WallInstant at) noexcept;
  void leave(WallInstant at) noexcept;
  /// Factor on its time, from the tenants that trained beside it at `at`; 1 under laws by which
  /// tenants take turns. Some of the present tenants may not have written yet.
  [[nodiscard]] double slowdown(WallInstant at);

 private:
  [[nodiscard]] GpuTenant tenant_of(const TenantWords& words) const;

  std::unique_ptr<SharingLaw> law_;
  std::vector<std::string> models_;
  std::span<RankStatus> ranks_;  ///< of the tenants' workers
  RankStatus& own_;
  TenantWords own_words_;
  std::vector<TenantWords> seen_;  ///< the tenants' words when the factor was computed
  std::int64_t batch_ = 0;         ///< its own, per GPU; what others have is not known
  double factor_ = 1.0;
};

}  // namespace mimus::emulator
