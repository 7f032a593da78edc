// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/prompt_wake_ups.hpp"

#include <linux/sched/types.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mimus::emulator {
namespace {

constexpr unsigned long kTimerSlack = 1000;  // ns; naps of tens of microseconds need it
constexpr unsigned kSlice = 100'000;         // ns, the minimum that Linux accepts

/// Since Linux 6.12 a process may ask for short slices, and then runs sooner after a wake-up. Its
/// share of the cores does not change. All other scheduling attributes, niceness included, are
/// kept.
void ask_for_short_slices() {
  sched_attr now{};
  if (::syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return;
  now.sched_runtime = kSlice;
  (void)::syscall(SYS_sched_setattr, 0, &now, 0);
}

}  // namespace

void ask_for_prompt_wake_ups() {
  ::prctl(PR_SET_TIMERSLACK, kTimerSlack);
  ask_for_short_slices();
}

}  // namespace mimus::emulator
