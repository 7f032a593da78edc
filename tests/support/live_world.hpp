// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// The MPI world of a test program whose main() is live_main.cpp.
[[nodiscard]] const MpiWorld& test_world();

}  // namespace mimus::emulator
