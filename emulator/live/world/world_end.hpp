// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Rank 0: until every worker answers. Until then they do things together, and one that dies would
/// be waited for: its launcher then ends all of them. TimeoutError when some do not come in time.
void await_service(const LiveWorld& world, Mailbox& mailbox, Duration patience);

/// Rank 0, when all workers have left and nothing is left to say: where the launcher lets ranks
/// outlive others it may wait for those that have died, and its own exit code says nothing.
void prepare_to_leave(const MpiWorld& mpi, ExitCode code, bool some_died);

/// Rank 0: has all workers leave with `code`, and waits until they say that they do. MPI ends on no
/// rank before all have come to its end, so one that is stopped or stuck would keep a run that is
/// through from ending. True when all have left within `patience`; the others are reported, and
/// what remains is to abort. Those that have died count as left; then no rank waits in
/// MPI_Finalize. Error of a worker that failed meanwhile.
[[nodiscard]] bool dismiss_workers(const LiveWorld& world, Mailbox& mailbox, ExitCode code,
                                   Duration patience);

}  // namespace mimus::emulator
