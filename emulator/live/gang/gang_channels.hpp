// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "emulator/live/gang/gang_change.hpp"
#include "emulator/live/gang/gang_communicator.hpp"
#include "emulator/live/lane/worker_context.hpp"
#include "kernels/collective.hpp"
#include "kernels/parallel/rank_communication.hpp"

namespace mimus::emulator {

/// The communication of one member of a gang: one collective for a gang of whole replicas, none for
/// a single replica on CUDA; for a model that is split over GPUs one for each group of the member,
/// over a communicator of that group alone.
class GangChannels {
 public:
  /// Collective over the gang. Throws what make_collective() throws; the channels are then empty.
  GangChannels(const WorkerContext& context, const GangCommunicator& gang,
               const std::vector<scheduler::Slot>& slots, std::int64_t tag,
               const kernels::ParallelShape& shape, GangChange change = {});
  GangChannels(const GangChannels&) = delete;
  GangChannels& operator=(const GangChannels&) = delete;
  ~GangChannels();

  [[nodiscard]] const kernels::GangCollectives& get() const { return gang_; }
  void set_wall_per_emulated(double factor);
  /// This member does nothing before `at`, so it communicates no earlier.
  void quiet_until(WallInstant at);
  /// It may communicate from `at` on, although it had announced a later instant.
  void busy_from(WallInstant at);
  /// At `now` this member waits for others of its gang. Gangs that share links with an idle group
  /// of it must not wait for that group.
  void idle_at(WallInstant now);
  /// The only collective of a gang of whole replicas, for its successor.
  [[nodiscard]] std::unique_ptr<kernels::Collective> take_data();
  /// Leaves the groups' communicators to MPI: members may be gone, so freeing them could hang.
  void abandon();

 private:
  kernels::GangCollectives gang_;
  std::vector<std::unique_ptr<GangCommunicator>> communicators_;   ///< of groups
  std::vector<std::unique_ptr<kernels::Collective>> collectives_;  ///< end before those
};

}  // namespace mimus::emulator
