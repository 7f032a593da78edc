// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

/// Prepares this worker for a gang that grows: the framework's start, while the gang trains on;
/// then waits until it is at the boundary and fills in where it is. False when it will never come.
/// Messages that are not for it stay in the worker's inbox, the end of the run included.
/// Rank 0 watches that the other new members get ready, and the gang watches itself.
[[nodiscard]] bool await_gang(WorkerContext& context, StartMessage& message);

}  // namespace mimus::emulator
