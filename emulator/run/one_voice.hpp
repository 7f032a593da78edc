// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace mimus::emulator {

/// Returns what `act` returns. Every rank of a launched world has the same command line and files,
/// and finds the same fault before MPI is there to compare: rank 0 throws its Error, the others
/// stay until the launcher ends them. One that left would let the launcher end rank 0 before it has
/// spoken. A rank that is still there after 5 s has a fault of its own, and throws it with its
/// number.
[[nodiscard]] int with_one_voice(const std::function<int()>& act);

}  // namespace mimus::emulator
