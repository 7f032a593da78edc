// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// GPUs of a cell whose workers have died, also in earlier cells, and what is booked on them. A GPU
/// is lost with the first of its workers, because there are no spare ones.
class LostGpus {
 public:
  /// Empties the books of rank 0's host. All references must outlive it.
  LostGpus(const LiveWorld& world, Mailbox& mailbox, const LiveCell& cell);

  /// The GPU that the worker of `rank` serves; none for idle ranks.
  [[nodiscard]] GpuId gpu_of(int rank) const;
  /// Returns the event of the loss with the first worker of a GPU.
  [[nodiscard]] std::optional<scheduler::GpuDown> lose_gpu_of(int rank, const std::string& what);
  [[nodiscard]] const std::set<GpuId>& all() const { return lost_; }
  [[nodiscard]] bool includes_any_of(const scheduler::Allocation& allocation) const;
  /// A dead process cannot give back what it had booked. This is removed from the books of its host
  /// when no attempt uses it any more.
  void forget_bookings();

 private:
  const LiveWorld& world_;
  Mailbox& mailbox_;
  const scheduler::ClusterShape& shape_;
  kernels::Ledger ledger_;   ///< of rank 0's host
  kernels::LinkBook links_;  ///< likewise
  kernels::TurnBook turns_;  ///< likewise
  std::set<GpuId> lost_;
  std::set<GpuId> booked_;  ///< of these, with what is booked in the ledger
};

}  // namespace mimus::emulator
