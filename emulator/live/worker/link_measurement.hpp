// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/lane/worker_context.hpp"
#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// On every worker that serves one of the slots, between attempts: all-reduces over the links of
/// that gang, through the collective of the cell. On device cpu that is MPI at full speed, never
/// paced. The first member reports every size to rank 0 when it is measured. Throws like a gang
/// that loses a member: TimeoutError, PeerLostError.
void measure_link(const WorkerContext& context, const MeasureLink& message);

}  // namespace mimus::emulator
