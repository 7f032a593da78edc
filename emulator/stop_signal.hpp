// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace mimus::emulator {

/// Has `handler` take every signal that asks to stop: SIGINT (Ctrl-C), SIGTERM (a launcher or batch
/// system), SIGUSR1 (forwarded by mpirun and sbatch) and SIGHUP (the terminal was closed), the last
/// one unless this process was started with it ignored.
void handle_stop_signals(void (*handler)(int));
/// Rank 0 ends a run on request: these signals only set a flag, which the engine looks at between
/// events.
void install_stop_handlers();
/// Workers ignore SIGINT, SIGHUP and SIGUSR1. SIGTERM is noted in `told_to_end` and ends them soon
/// after, if rank 0 has not done so; at once where that aborts the world.
void leave_stop_signals_to_rank_0(std::atomic<std::int32_t>& told_to_end,
                                  const std::atomic<std::int32_t>& rank_0_aborts);

/// The signal that asked to stop first, or 0.
[[nodiscard]] int stop_signal();
/// For people: "stopped by SIGINT (Ctrl-C); run the same command again to resume".
[[nodiscard]] std::string stop_text(int signal);

}  // namespace mimus::emulator
