// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <set>
#include <utility>

#include "emulator/engine.hpp"
#include "emulator/live/engine/abandoned_attempts.hpp"
#include "emulator/live/engine/engine_clock.hpp"
#include "emulator/live/engine/in_place_resizes.hpp"
#include "emulator/live/engine/lost_gpus.hpp"
#include "emulator/live/engine/running_attempts.hpp"
#include "emulator/live/engine/worker_devices.hpp"
#include "emulator/live/engine/worker_processes.hpp"
#include "emulator/node_outages.hpp"

namespace mimus::emulator {

/// What rank 0 knows of a live cell. The parts of the engine share it: reports of workers, their
/// deaths and what is planned to strike attempts all change what runs.
struct LiveState {
  /// `sink` receives measurements of devices. All references must outlive it.
  LiveState(const LiveWorld& live_world, Mailbox& mail, LiveCell live_cell, int index,
            DeviceSink& sink)
      : world(live_world),
        mailbox(mail),
        cell(std::move(live_cell)),
        clock(world, cell, index),
        devices(cell, index, world.mpi().size(), sink),
        processes(world, mailbox, cell.engine),
        running(mailbox, world.host().decisions()),
        resizes(world, mailbox, cell, running),
        abandoned(world, mailbox, cell.engine.stage_timeout / 2),
        lost_gpus(world, mailbox, cell),
        outages(cell.cluster, cell.seed) {}
  LiveState(const LiveState&) = delete;
  LiveState& operator=(const LiveState&) = delete;

  const LiveWorld& world;
  Mailbox& mailbox;
  LiveCell cell;
  EngineClock clock;
  WorkerDevices devices;
  WorkerProcesses processes;
  RunningAttempts running;
  InPlaceResizes resizes;
  AbandonedAttempts abandoned;
  LostGpus lost_gpus;
  NodeOutages outages;
  std::deque<TimedEvent> due;  ///< events for the next call of the engine's next()
  std::set<int> awaited;       ///< ranks that are not ready for the cell
  bool winding_down = false;   ///< all attempts have been told to end
};

}  // namespace mimus::emulator
