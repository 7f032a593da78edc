// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "emulator/live/live_world.hpp"

namespace mimus::emulator {

/// Rank 0: has all workers leave with `code`, and waits until they say that they do. MPI ends on no
/// rank before all have come to its end, so one that is stopped or stuck would keep a run that is
/// through from ending. True when all have left within `patience`; the others are reported, and
/// what remains is to abort. Error of a worker that failed meanwhile.
[[nodiscard]] bool dismiss_workers(const LiveWorld& world, Mailbox& mailbox, ExitCode code,
                                   Duration patience);

}  // namespace mimus::emulator
