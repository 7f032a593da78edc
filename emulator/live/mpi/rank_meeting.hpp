// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// The largest exit code that a rank of this launch came to, when every rank has come here, however
/// long that takes: one that left with an error would let the launcher end those that still work.
/// MPI, which is what waits, runs in a child process: a launcher takes one MPI program per rank,
/// and a script that it started may run Mimus several times. Returns `own` at once where MPI cannot
/// start.
[[nodiscard]] int highest_exit_code(int own);

}  // namespace mimus::emulator
