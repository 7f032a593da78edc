// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// The largest exit code of all ranks of this launch, when every rank has come here, however long
/// that takes: if one left with an error, the launcher would end those that still work. MPI, which
/// does the waiting, runs in a child process: a launcher takes one MPI program per rank, and a
/// script that it started may run Mimus several times. Returns `own` at once if MPI cannot start.
[[nodiscard]] int highest_exit_code(int own);

}  // namespace mimus::emulator
