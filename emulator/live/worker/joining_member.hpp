// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/gang/handover.hpp"
#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

/// Prepares this worker for a gang that grows: opens its links, runs the framework's start while
/// the gang trains on, then waits until the gang is at the boundary and fills in its progress.
/// False if it will never come. Messages that are not for it stay in the worker's inbox, including
/// the end of the run. Rank 0 watches that the other new members get ready, and the gang watches
/// itself.
[[nodiscard]] bool await_gang(WorkerContext& context, Handover& to);

}  // namespace mimus::emulator
