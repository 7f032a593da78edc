// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"

namespace mimus::emulator {

// A launcher ends all ranks when one of them has died, unless it is told to let the others go on
// (mpirun --enable-recovery). Then it also returns 0 whatever happens, MPI_Abort ends one rank
// only, and once a rank has died it may not end by itself: so a run does that for it.

/// Whether the launcher of this rank lets it continue when another one dies.
[[nodiscard]] bool outlives_others();

/// Asks the launcher that started this process to end, and thus all of its ranks.
void end_launcher();

/// Ends the launcher if it still runs this long after this process has ended, or if this process
/// does not end for a minute: a rank that dies now keeps the others in MPI_Finalize.
void end_launcher_after(Duration grace);

/// For a launcher whose own exit code says nothing (slurm/lib.sh): rank 0 leaves it in the file
/// that MIMUS_EXIT_CODE_FILE names.
void leave_exit_code(int code);

}  // namespace mimus::emulator
