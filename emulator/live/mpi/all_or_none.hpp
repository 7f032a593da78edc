// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <mpi.h>

namespace mimus::emulator {

/// Collective over `ranks`. Runs this rank's part of what all ranks set up together, then tells
/// every rank how it went. Where a part failed, every rank throws the same Error, that of the
/// lowest rank that has one, with its host: a rank that left alone would keep the others waiting
/// for it, unexplained.
void all_or_none(MPI_Comm ranks, const std::function<void()>& own_part);

}  // namespace mimus::emulator
