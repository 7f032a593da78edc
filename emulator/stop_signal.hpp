// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator {

/// Rank 0 ends a run on request: SIGINT (Ctrl-C), SIGTERM (a launcher or batch system) and SIGUSR1
/// (forwarded by mpirun and sbatch) only set a flag, which the engine looks at between events.
void install_stop_handlers();
/// Workers leave the decision to rank 0: they ignore SIGINT and SIGUSR1, and SIGTERM ends them.
void ignore_stop_signals();

/// The signal that asked to stop first, or 0.
[[nodiscard]] int stop_signal();
/// For people: "stopped by SIGINT (Ctrl-C); run the same command again to resume".
[[nodiscard]] std::string stop_text(int signal);

}  // namespace mimus::emulator
