// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// Watches a host if the launcher does not end ranks when others die. The lowest living worker of
/// each host does so. It tells rank 0 which ranks have died, if rank 0 is on another host, and ends
/// the world when rank 0 itself has died. All workers tell rank 0 that their host is alive.
class HostWatch {
 public:
  HostWatch(const MpiWorld& world, const HostSegment& host, Mailbox& mailbox);

  /// To be called often; looks a few times a second. Ranks that have died since the last call.
  [[nodiscard]] std::vector<int> look();

 private:
  [[nodiscard]] bool is_dead(int rank) const;
  [[nodiscard]] bool is_first_that_lives() const;

  const MpiWorld& world_;
  const HostSegment& host_;
  Mailbox& mailbox_;
  bool needed_;             ///< the launcher does not do this
  bool beside_rank_0_;      ///< on its host
  std::vector<int> ranks_;  ///< of this host, ascending
  std::set<int> dead_;      ///< that rank 0 has been told of
  WallInstant last_look_{};
  WallInstant last_alive_{};
};

}  // namespace mimus::emulator
