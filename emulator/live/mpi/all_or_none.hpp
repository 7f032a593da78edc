// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <mpi.h>

namespace mimus::emulator {

/// Collective over `ranks`. Runs this rank's part of a common set-up, then tells every rank the
/// result. If a part failed, every rank throws the same Error, that of the lowest rank that has
/// one, with its host: a rank that left alone would keep the others waiting without explanation.
void all_or_none(MPI_Comm ranks, const std::function<void()>& own_part);

}  // namespace mimus::emulator
