// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/lane/worker_context.hpp"
#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// On every worker that serves one of the slots, between attempts: all-reduces over the links of
/// that gang, through the collective of the cell. On device cpu that is MPI as fast as it goes,
/// never paced. The first member tells rank 0 of every size when it is measured. Throws as a gang
/// does that loses a member: TimeoutError, PeerLostError.
void measure_link(const WorkerContext& context, const MeasureLink& message);

}  // namespace mimus::emulator
