// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>

#include "emulator/live/host_segment.hpp"
#include "emulator/live/live_cell.hpp"
#include "emulator/live/mpi_world.hpp"
#include "kernels/device.hpp"

namespace mimus::emulator {

/// What a worker has for the length of a cell.
struct WorkerContext {
  WorkerContext(const MpiWorld& mpi, const HostSegment& segment, Mailbox& messages)
      : world(mpi), host(segment), mailbox(messages) {}

  const MpiWorld& world;
  const HostSegment& host;
  Mailbox& mailbox;
  LiveCell cell;
  std::unique_ptr<kernels::Ledger> ledger;
  std::unique_ptr<kernels::Device> device;
  std::deque<Envelope> inbox;  ///< messages that came while an attempt ran and are not for it

  void set_stage(Stage stage) const { host.own_status().stage = stage; }
};

}  // namespace mimus::emulator
